#!/usr/bin/env node
// A whole bot for Node, without an SDK: the conversation of docs/protocol.md. What it plays is in strategy.js.
//
//   ALUETTE_SERVER   host:port, tls:host:port or unix:path     ALUETTE_TOKEN     from the referee
//   ALUETTE_CA       a PEM file with whom to trust             ALUETTE_OPTIONS   a JSON object
//   ALUETTE_PROTO    the folder with aluette/v1/*.proto, if it is not ../../proto
//
// Ctrl-C in a league: no new tables, and the end when the open ones are over; once more: the end.
//
// Ends with 0 after a goodbye, 2 when it was called wrongly, 3 when the referee refuses it, 4 when there is none.

import { existsSync, readFileSync } from "node:fs";
import { setImmediate as handOver, setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import grpc from "@grpc/grpc-js";
import { loadSync } from "@grpc/proto-loader";
import { Strategy } from "./strategy.js";

const CONNECT_MS = 10_000; // for the first welcome, and for each try later
const FIRST_PAUSE_MS = 50; // doubled with every try
const GRACE_PAUSE_MS = 1_000; // at most, at first and while the seats are kept
const LONGEST_PAUSE_MS = 30_000; // at most, while a league is looked for
const HAND_OVER_MS = 2; // answers that are ready wait no longer for those that are not
const EVIDENCE = 8_000; // characters of a stack that the referee keeps

const METHODS = {
  ASK_LOOK: "look",
  ASK_CUT: "cut",
  ASK_CHANT: "chant",
  ASK_DISCARD: "discard",
  ASK_PLAY: "play",
};

// -- the matches under way ----------------------------------------------------------------------------------------

// Keeps matches apart by table. Being told or asked the same thing twice changes nothing: a stream that was taken up
// again repeats what has happened, and asks again what it has not heard the answer to.
class Matches {
  constructor(options) {
    this.options = options;
    this.byTable = new Map();
  }

  async tell(event) {
    const match = this.byTable.get(event.table);
    if (event.body === "matchBegun") {
      if (!match) this.byTable.set(event.table, { begun: event.matchBegun, deals: 0, answered: -1 });
    } else if (!match) {
      return; // its end was heard before
    } else if (event.body === "dealEnded") {
      if (event.dealEnded.deal.number <= match.deals) return;
      match.deals = event.dealEnded.deal.number;
      await guard(match, () => match.strategy?.dealEnded(event.dealEnded));
    } else if (event.body === "matchEnded") {
      this.byTable.delete(event.table);
      await guard(match, () => match.strategy?.matchEnded(event.matchEnded));
    } // a fault that cost no match, or an event that is newer than this program: nothing to do
  }

  // The `Move` for a turn.
  async answer(turn) {
    const match = this.byTable.get(turn.table);
    if (match && match.answered !== turn.number) {
      match.answer = await this.decide(match, turn);
      match.answered = turn.number;
    }
    const answer = match ? match.answer : failed(new Error("the match of this table has not begun"));
    return { table: turn.table, number: turn.number, ...answer };
  }

  async decide(match, turn) {
    try {
      const { error } = match;
      match.error = undefined;
      if (error) throw error;
      if (turn.asked === "ASK_READY") {
        match.strategy = new Strategy(match.begun, this.options);
        return { ready: {} };
      }
      return await match.strategy[METHODS[turn.asked]](turn);
    } catch (error) {
      return failed(error);
    }
  }

  abandon() {
    this.byTable.clear();
  }
}

// What the strategy throws on an event fails the next turn of that match.
async function guard(match, call) {
  try {
    await call();
  } catch (error) {
    match.error = error;
  }
}

// The fault of one match: the others go on.
function failed(error) {
  const message = String(error?.stack ?? error);
  console.error(message);
  return { failed: { message: message.slice(0, EVIDENCE) } };
}

// -- one stream ---------------------------------------------------------------------------------------------------

// Open a stream, say hello and play until it ends. Returns how: { goodbye } or { refused } with the message of that
// name, or { broke } with a reason; and { welcome }, if there was one.
async function converse(server, hello, matches, patience) {
  const client = new server.Service(server.target, server.credentials, server.channel);
  const stream = client.Play(server.metadata);
  stream.on("error", () => {}); // the loop below hears of it, if it still runs
  const over = new AbortController();
  stream.on("status", () => over.abort());
  const silent = new AbortController();
  const timer = setTimeout(() => {
    silent.abort();
    stream.cancel();
  }, patience);
  const leave = () => stream.write({ leave: {} });
  let welcome;
  try {
    stream.write({ hello });
    for await (const response of stream) {
      clearTimeout(timer);
      switch (response.body) {
        case "welcome":
          welcome = response.welcome;
          if (welcome.lasting) process.once("SIGINT", leave);
          break;
        case "batch":
          await take(response.batch, stream, matches, over.signal);
          break;
        case "refused":
        case "goodbye":
          return { welcome, [response.body]: response[response.body] };
        default: // an addition that is newer than this program
      }
    }
    return { welcome, broke: "the referee ended the stream without a goodbye" };
  } catch (error) {
    if (error.details === undefined) throw error; // not gRPC's: a mistake in this file
    return { welcome, broke: silent.signal.aborted ? "it does not answer" : error.details };
  } finally {
    clearTimeout(timer);
    process.off("SIGINT", leave);
    stream.cancel();
    client.close();
  }
}

// Events first, then the turns in their order. Node sends nothing while a strategy computes, so it is let go between
// answers that take their time: the clock of a turn runs until its answer has left. When the stream is over, that is
// the end: what was decided is kept, and the next stream comes first.
async function take(batch, stream, matches, over) {
  for (const event of batch.events) await matches.tell(event);
  let moves = [];
  let since = performance.now();
  for (const turn of batch.turns) {
    moves.push(await matches.answer(turn));
    if (performance.now() - since > HAND_OVER_MS) {
      stream.write({ moves: { moves } });
      moves = [];
      await handOver();
      if (over.aborted) return;
      since = performance.now();
    }
  }
  if (moves.length > 0) stream.write({ moves: { moves } });
}

// -- one stream after another -------------------------------------------------------------------------------------

// Play until a goodbye, and return the exit code.
async function play(server, hello, matches) {
  let met = false;
  let lasting = false;
  let pause = FIRST_PAUSE_MS;
  let until = Date.now() + CONNECT_MS; // when to give up
  for (;;) {
    const patience = Math.min(CONNECT_MS, until - Date.now());
    const { welcome, goodbye, refused, broke } = await converse(server, hello, matches, patience);
    if (welcome) {
      met = true;
      lasting = welcome.lasting;
      hello.resume = welcome.resume || hello.resume; // empty on a stream that was taken up again
      pause = FIRST_PAUSE_MS;
      until = Date.now() + welcome.graceMs;
    }
    if (goodbye && !goodbye.comeAgain) return 0;
    if (refused && !hello.resume) return say(`the referee refused this bot: ${refused.message}`, 3);
    if (refused || goodbye) until = 0; // there is nothing to take up again
    if (Date.now() + pause >= until) {
      if (!met) return say(`no referee answers at ${server.name}: ${broke}`, 4);
      const sentence = goodbye?.message ?? refused?.message ?? `the stream to the referee broke: ${broke}`;
      if (!lasting) return say(sentence, 4);
      say(`${sentence}; coming again as soon as it can be reached`);
      matches.abandon(); // what was played is void
      hello.resume = "";
      until = Infinity;
      pause = FIRST_PAUSE_MS;
    }
    await sleep(pause * (0.5 + Math.random() / 2)); // not all bots at once, when a league is back
    pause = Math.min(2 * pause, until === Infinity ? LONGEST_PAUSE_MS : GRACE_PAUSE_MS);
  }
}

function say(sentence, code) {
  console.error(`aluette: ${sentence}`);
  return code;
}

// -- the call -----------------------------------------------------------------------------------------------------

function readServer(env) {
  const name = env.ALUETTE_SERVER;
  if (!name) throw new Error("no referee to connect to: play this bot with `aluette match`, or set ALUETTE_SERVER");
  const tls = name.startsWith("tls:");
  const target = tls ? name.slice(4) : name;
  const authorities = env.ALUETTE_CA ? readFileSync(env.ALUETTE_CA) : null; // null: those that everybody trusts
  const token = env.ALUETTE_TOKEN ?? "";
  if (!/^[\x20-\x7e]*$/.test(token)) throw new Error("ALUETTE_TOKEN has characters that no token has");
  const metadata = new grpc.Metadata();
  metadata.set("authorization", `Bearer ${token}`);
  const folder = env.ALUETTE_PROTO ?? fileURLToPath(new URL("../../proto", import.meta.url));
  if (!existsSync(`${folder}/aluette/v1`)) throw new Error(`no aluette/v1 in ${folder}: set ALUETTE_PROTO`);
  const definition = loadSync("aluette/v1/referee.proto", {
    includeDirs: [folder],
    longs: String, // a table is a number of 64 bits: too many for a JavaScript number
    enums: String,
    defaults: true,
    oneofs: true, // `body` says which one is set
  });
  return {
    name,
    target,
    metadata,
    Service: grpc.loadPackageDefinition(definition).aluette.v1.RefereeService,
    credentials: tls ? grpc.credentials.createSsl(authorities) : grpc.credentials.createInsecure(),
    channel: {
      "grpc.keepalive_time_ms": 20_000,
      "grpc.keepalive_timeout_ms": 10_000,
      "grpc.max_receive_message_length": -1, // a batch may be as large as it is
      "grpc.use_local_subchannel_pool": 1, // each stream on a connection of its own
      "grpc.enable_retries": 0, // `play` does that
      "grpc.enable_http_proxy": /^(unix:|localhost:|127\.|\[::1\])/.test(target) ? 0 : 1,
    },
  };
}

async function main(env) {
  let server;
  let options;
  try {
    server = readServer(env);
    options = JSON.parse(env.ALUETTE_OPTIONS ?? "{}");
  } catch (error) {
    return say(error.message, 2);
  }
  const hello = {
    protocol: 1,
    botName: "node-bot",
    botVersion: "1",
    sdk: `node ${process.version}`, // what speaks, for people to read
    capacity: 64, // tables at once
    resume: "",
  };
  return play(server, hello, new Matches(options));
}

process.exitCode = await main(process.env);
