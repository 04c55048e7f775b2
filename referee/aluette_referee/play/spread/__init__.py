"""Matches played in other processes, on this machine or on others: in units of a block, as bytes to and fro.

unit        the bytes: how to play, which bots, which matches; and what came of them
bundle      a bot's files, for a machine that does not have them
engine      what runs a function on bytes somewhere else
processes   an engine: worker processes of this machine
cluster     an engine: a Dask cluster
worker      what is run there: a referee of the process's own, whose bots live on from unit to unit
coordinator here: keeps an engine fed, has lost units played again, hands over what was played
"""
