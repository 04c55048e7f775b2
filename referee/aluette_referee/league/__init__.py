"""Leagues: tournaments that never end. People bring bots, the referee pairs whoever is there, the ladder moves.

settings             the league's file
pairing  ladder      who plays whom next; who is how strong: pure
tokens               what a token is, and what it is good for
schema  migrations/  its tables
registry             owners, bots, versions, tokens: what people change, and the audit log of it
ledger               matches: begun, ended, void
queries              all that is shown, by pages, feeds and commands
hall                 who is here, and can take a table
service              the program: one nursery for bots, pairing, the database and the web
"""
