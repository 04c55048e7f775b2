// The viewer: shows one step of one match. What happened, in words and in cards, comes with the page; nothing is
// decided here. A place is an index into `steps`, all steps of the match that the chosen view sees.
(() => {
  "use strict";
  const root = document.getElementById("viewer");
  const matches = JSON.parse(document.getElementById("matches").textContent);
  if (!root || matches.length === 0) return;
  const SVG = "http://www.w3.org/2000/svg";
  const SEATS = ["N", "E", "S", "W"];
  const PACE = 1100;
  const part = name => root.querySelector(`[data-part="${name}"]`);
  const $ = selector => root.querySelector(selector);

  let match = matches[0];
  let view = "";       // "" sees everything, else a seat
  let steps = [];      // {deal, at, step}: those that the view sees
  let place = 0;
  let timer = 0;

  // -- making elements ---------------------------------------------------------------------------------

  function element(tag, className, text) {
    const made = document.createElement(tag);
    if (className) made.className = className;
    if (text !== undefined) made.textContent = text;
    return made;
  }

  function card(name) {
    const box = element("span", "card");
    const svg = document.createElementNS(SVG, "svg");
    svg.setAttribute("viewBox", "0 0 100 150");
    svg.setAttribute("role", "img");
    svg.setAttribute("aria-label", name === "back" ? "face down" : name);
    const use = document.createElementNS(SVG, "use");
    use.setAttribute("href", `#card-${name}`);
    svg.append(use);
    box.append(svg);
    return box;
  }

  /** Only what changes is made anew. */
  function fill(box, names) {
    const shown = names.join();
    if (box.shown !== shown) box.replaceChildren(...names.map(card));
    box.shown = shown;
  }

  function button(className, text, label, act) {
    const made = element("button", className, text);
    made.type = "button";
    if (label) made.setAttribute("aria-label", label);
    made.addEventListener("click", act);
    return made;
  }

  // -- what the view sees ------------------------------------------------------------------------------

  const knows = step => view === "" || step.knows === undefined || step.knows.includes(view);

  function words(step) {
    if (view === "" || step.knows === undefined) return step.all;
    return step.knows.includes(view) ? step.own ?? step.all : step.others;
  }

  function choose(seat) {
    const now = steps[place];
    view = seat;
    steps = match.deals.flatMap(deal =>
      deal.steps.map((step, at) => ({ deal, at, step })).filter(({ step }) => words(step) !== undefined));
    place = 0;
    // The last step that is not after the one that was shown.
    if (now) place = Math.max(0, steps.findLastIndex(each => before(each, now)));
    part("bar").max = steps.length - 1;
  }

  function before(one, other) {
    return one.deal.number < other.deal.number || (one.deal === other.deal && one.at <= other.at);
  }

  // -- showing a place ---------------------------------------------------------------------------------

  function show() {
    const { deal, at, step } = steps[place];
    const past = deal.steps.slice(0, at + 1);
    const trick = past.filter(each => each.kind === "play" && each.trick === step.trick);
    const over = trick.length === 4;
    for (const seat of SEATS) {
      hand(seat, deal, at);
      plate(seat, deal, step, past, trick);
      const played = trick.find(each => each.seat === seat);
      const slot = $(`.slot.${seat}`);
      fill(slot, played ? [played.card] : []);
      slot.classList.toggle("won", over && trick[3].winner === seat);
      slot.classList.toggle("dim", over && trick[3].winner !== seat && trick[3].winner !== "X");
      slot.classList.toggle("just", step === played);
      slot.hidden = step.trick === 0;
      bubble(seat, past.findLast(each =>
        each.kind === "signal" && each.seat === seat && each.trick === step.trick && knows(each)));
    }
    $(".centre").classList.toggle("idle", step.trick === 0);
    spread(deal, at, step);
    outcome(step, over && trick[3]);
    part("caption").textContent = words(step);
    part("caption").classList.toggle("fault", isFault({ step }));
    score(deal, past);
    tricks(deal, at);
    notes(deal);
    part("bar").value = place;
    part("bar").setAttribute("aria-valuetext", `deal ${deal.number}, trick ${step.trick}`);
    controls(deal);
  }

  function hand(seat, deal, at) {
    const held = (deal.hands[seat] ?? []).filter(([, from, to]) => from <= at && at < to);
    const seen = view === "" || view === seat;
    const box = $(`.seat.${seat} .hand`);
    fill(box, held.map(([name]) => seen ? name : "back"));
  }

  function plate(seat, deal, step, past, trick) {
    const box = $(`.seat.${seat}`);
    const won = past.filter(each => each.winner === seat).length;
    const led = trick.length > 0 && trick.length < 4 && trick[0].seat === seat;
    const vote = step.trick === 0 && past.find(each => each.kind === "vote" && each.seat === seat);
    const turn = step.turn.includes(seat);
    box.classList.toggle("turn", turn);
    box.classList.toggle("fault", isFault({ step }) && step.seat === seat);
    box.setAttribute("aria-label", `${seat}, ${match.names[seat]}`);
    const name = $(`.seat.${seat} .name`);
    name.textContent = name.title = match.names[seat];
    $(`.seat.${seat} .count`).textContent = `${won} ${won === 1 ? "trick" : "tricks"}`;
    const marks = [];
    if (deal.dealer === seat) marks.push(element("span", "chip", "dealer"));
    if (led) marks.push(element("span", "chip", "led"));
    if (vote) marks.push(element("span", "chip", vote.yes ? "chant" : "no chant"));
    if (turn) marks.push(element("span", "chip next", "to act"));
    $(`.seat.${seat} .marks`).replaceChildren(...marks);
  }

  function bubble(seat, signal) {
    const box = $(`.bubble.${seat}`);
    box.hidden = signal === undefined;
    box.classList.toggle("dropped", signal?.dropped !== undefined);
    box.replaceChildren();
    if (box.hidden) return;
    const lines = [element("span", "gesture", signal.gesture)];
    if (signal.says) lines.push(element("q", "says", signal.says));
    if (signal.dropped) lines.push(element("span", "note", `dropped: ${signal.dropped}`));
    else if (view === "") lines.push(element("span", "note", `noticed by ${signal.noticed}`));
    box.append(...lines);
  }

  function spread(deal, at, step) {
    const cards = step.cards ?? deal.stock.filter(([, to]) => at < to && step.trick === 0).map(([name]) => name);
    const seen = step.cards === undefined ? view === "" : knows(step);
    fill($(".spread"), cards.map(name => seen ? name : "back"));
    $(".spread").classList.toggle("many", cards.length > 12);
  }

  function outcome(step, last) {
    const box = part("outcome");
    const spoiled = last && last.winner === "X";
    box.textContent = spoiled ? "spoiled" : isFault({ step }) ? "fault" : "";
    box.classList.toggle("fault", isFault({ step }));
    box.hidden = box.textContent === "";
  }

  function score(deal, past) {
    const [ns, ew] = past.findLast(each => each.totals)?.totals ?? deal.before;
    const side = (name, points, team) => {
      const box = element("span", "team");
      box.append(element("b", "", name), element("span", "name", team), element("span", "points", points));
      return box;
    };
    part("score").replaceChildren(side("NS", ns, match.sides[0]), side("EW", ew, match.sides[1]));
  }

  function tricks(deal, at) {
    const rows = [];
    const now = steps[place].step;
    part("heading").textContent = `Deal ${deal.number}`;
    for (let number = 1; number <= 9; number += 1) {
      const row = element("tr", number === now.trick ? "now" : "");
      row.append(element("th", "", number));
      const plays = deal.steps.map((step, index) => ({ step, index }))
        .filter(({ step }) => step.kind === "play" && step.trick === number);
      const ended = plays.length === 4 && plays[3].index <= at;
      const winner = ended ? plays[3].step.winner : "";
      for (const seat of SEATS) {
        const cell = element("td");
        const one = plays.find(({ step }) => step.seat === seat);
        const done = one && one.index <= at;
        // Who looks through a seat's eyes does not know what will be played.
        if (done || (one && view === "")) {
          const state = `${one.step === now ? "here " : ""}${done ? "" : "ahead "}`;
          const won = winner === seat ? "won " : "";
          const led = one === plays[0] ? "led" : "";
          const label = `Trick ${number}, ${seat} ${led ? "leads" : "plays"} ${one.step.card}`;
          const made = button(state + won + led, one.step.card, label, () => reach(deal, one.index));
          made.tabIndex = -1;
          cell.append(made);
        }
        row.append(cell);
      }
      row.append(element("td", winner === "X" ? "spoiled" : "winner", winner === "X" ? "spoiled" : winner));
      rows.push(row);
    }
    part("tricks").replaceChildren(...rows);
  }

  /** What is worth remembering of the deal so far, the latest first. */
  function notes(deal) {
    const told = steps.slice(0, place + 1).reverse()
      .filter(({ deal: its, step }) => its === deal && ["signal", "receive", "discard", "score"].includes(step.kind));
    const lines = told.map(each => {
      const line = element("li", each.step.kind);
      const where = each.step.trick === 0 ? "before trick 1" : `trick ${each.step.trick}`;
      line.append(element("span", "muted", `${where}: `), words(each.step));
      return line;
    });
    part("notes").replaceChildren(...lines);
    part("notes").hidden = lines.length === 0;
  }

  // -- going somewhere ---------------------------------------------------------------------------------

  const endsTrick = ({ step }) => step.winner !== undefined || step.kind === "end" || step.kind === "fault";
  const endsDeal = (each, index) => index === 0 || index === steps.length - 1 || steps[index - 1].deal !== each.deal;
  const isSpoiled = ({ step }) => step.winner === "X";
  const isFault = ({ step }) => step.kind === "fault" || step.kind === "mended";

  function next(test) {
    const found = steps.findIndex((each, index) => index > place && test(each, index));
    return found < 0 ? steps.length - 1 : found;
  }

  function previous(test) {
    return Math.max(0, steps.findLastIndex((each, index) => index < place && test(each, index)));
  }

  /** The next one, after the last the first again; -1 where there is none. */
  function round(test) {
    const later = steps.findIndex((each, index) => index > place && test(each));
    return later < 0 ? steps.findIndex(test) : later;
  }

  const ACTS = {
    "first": () => 0,
    "last": () => steps.length - 1,
    "card+": () => Math.min(place + 1, steps.length - 1),
    "card-": () => Math.max(place - 1, 0),
    "trick+": () => next(endsTrick),
    "trick-": () => previous(endsTrick),
    "deal+": () => next(endsDeal),
    "deal-": () => previous(endsDeal),
    "spoiled": () => round(isSpoiled),
    "fault": () => round(isFault),
  };

  function go(to) {
    if (to < 0) return;
    place = to;
    show();
  }

  function reach(deal, at) {
    play(false);
    go(steps.findIndex(each => each.deal === deal && each.at === at));
  }

  function act(name) {
    if (name === "play") play(timer === 0);
    else {
      play(false);
      go(ACTS[name]());
    }
  }

  function play(on) {
    clearInterval(timer);
    timer = 0;
    if (on) {
      if (place === steps.length - 1) go(0);
      timer = setInterval(() => {
        go(ACTS["card+"]());
        if (place === steps.length - 1) play(false);
      }, PACE);
    }
    const made = $('[data-act="play"]');
    made.setAttribute("aria-label", on ? "Pause" : "Play");
    made.querySelector("path").setAttribute("d", on ? "M6 4h4v16H6zM14 4h4v16h-4z" : "M7 4v16l13-8z");
  }

  function look(seat) {
    choose(seat);
    show();
  }

  function controls(deal) {
    const first = place === 0;
    const last = place === steps.length - 1;
    for (const made of root.querySelectorAll("[data-act]")) {
      const name = made.dataset.act;
      if (name === "spoiled") made.disabled = !steps.some(isSpoiled);
      else if (name === "fault") made.hidden = !steps.some(isFault);
      else if (name !== "play") {
        // Not `disabled`: the focus would be lost at either end.
        made.setAttribute("aria-disabled", name === "first" || name.endsWith("-") ? first : last);
      }
    }
    for (const made of root.querySelectorAll("[data-view]")) made.setAttribute("aria-pressed", made.dataset.view === view);
    match.deals.forEach((each, index) => {
      const made = part("deals").children[index];
      const known = view === "" || each.number < deal.number;
      made.setAttribute("aria-pressed", each === deal);
      made.lastChild.textContent = !known ? "\u2013" : each.score.side ? `${each.score.side} +${each.score.points}` : each.score.kind;
    });
  }

  // -- opening a match ---------------------------------------------------------------------------------

  function open(which) {
    play(false);
    match = which;
    steps = [];
    choose(view);
    part("match").value = match.id;
    part("deals").replaceChildren(...match.deals.map(deal => {
      const made = button("", `Deal ${deal.number} `, "", () => {
        play(false);
        go(steps.findIndex(each => each.deal === deal));
      });
      made.append(element("small"));
      return made;
    }));
    show();
  }

  /** `#match-ID`, and perhaps `@fault` or `@deal.trick`. */
  function follow() {
    const [, id, where] = /^#match-([^@]+)(?:@(.+))?$/.exec(location.hash) ?? [];
    const which = matches.find(each => each.id === id);
    if (!which) return false;
    open(which);
    const [deal, trick] = (where ?? "").split(".").map(Number);
    if (where === "fault") go(steps.findIndex(isFault));
    else if (where) go(steps.findIndex(each => each.deal.number === deal && each.step.trick === trick));
    root.scrollIntoView();
    root.focus({ preventScroll: true });
    return true;
  }

  const KEYS = {
    ArrowRight: "card+", ArrowLeft: "card-", ArrowDown: "trick+", ArrowUp: "trick-", PageDown: "deal+", PageUp: "deal-",
    Home: "first", End: "last", x: "spoiled", f: "fault", " ": "play",
  };
  const VIEWS = { n: "N", e: "E", s: "S", w: "W", a: "", 1: "N", 2: "E", 3: "S", 4: "W" };

  function pressed(event) {
    if (event.ctrlKey || event.altKey || event.metaKey) return;
    const target = event.target;
    const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
    if (target.closest?.("select, pre") || (key === " " && target.closest?.("button, summary, a"))) return;
    const name = event.shiftKey && key.startsWith("Arrow") ? { ArrowRight: "trick+", ArrowLeft: "trick-" }[key] : KEYS[key];
    if (name) act(name);
    else if (key in VIEWS) look(VIEWS[key]);
    else return;
    event.preventDefault();
  }

  for (const each of matches) {
    const option = element("option", "", `${each.title}   ${each.id}`);
    option.value = each.id;
    part("match").append(option);
  }
  $(".choice").hidden = matches.length < 2;
  part("match").addEventListener("change", event => open(matches.find(each => each.id === event.target.value)));
  part("bar").addEventListener("input", event => { play(false); go(Number(event.target.value)); });
  for (const made of root.querySelectorAll("[data-act]")) made.addEventListener("click", () => act(made.dataset.act));
  for (const made of root.querySelectorAll("[data-view]")) made.addEventListener("click", () => look(made.dataset.view));
  (root.dataset.keys === "page" ? document : root).addEventListener("keydown", pressed);
  addEventListener("hashchange", follow);
  root.hidden = false;
  if (!follow()) open(matches[0]);
})();
