// A match that is being played, card by card. It knows no rules: the events say what happened.
"use strict";
(() => {
  const root = document.getElementById("live");
  if (!root || !window.EventSource) return;
  const part = (name) => root.querySelector(`[data-part="${name}"]`);
  const slot = (seat) => root.querySelector(`[data-slot="${seat}"]`);
  const count = (seat) => root.querySelector(`[data-seat="${seat}"] [data-part="count"]`);
  const seats = ["N", "E", "S", "W"];
  const svg = "http://www.w3.org/2000/svg";
  let complete = false;

  const say = (text) => { part("caption").textContent = text; };
  const clear = () => {
    complete = false;
    for (const seat of seats) { slot(seat).replaceChildren(); slot(seat).classList.remove("won", "dim"); }
  };
  const card = (name) => {
    const picture = document.createElementNS(svg, "svg");
    picture.setAttribute("role", "img");
    picture.setAttribute("aria-label", name);
    picture.setAttribute("viewBox", "0 0 100 150");
    const use = document.createElementNS(svg, "use");
    use.setAttribute("href", `#card-${name}`);
    picture.append(use);
    const holder = document.createElement("span");
    holder.className = "card";
    holder.append(picture);
    return holder;
  };
  const take = {
    deal: (event) => {
      clear();
      for (const seat of seats) count(seat).textContent = "0";
      say(`Deal ${event.deal}, ${event.dealer} deals.`);
    },
    card: (event) => {
      if (complete) clear();
      slot(event.seat).replaceChildren(card(event.card));
    },
    trick: (event) => {
      complete = true;
      for (const seat of seats) slot(seat).classList.add(seat === event.winner ? "won" : "dim");
      if (event.winner) count(event.winner).textContent = String(Number(count(event.winner).textContent) + 1);
      say(event.winner ? `Trick ${event.trick}: ${event.winner} wins.` : `Trick ${event.trick} is spoiled.`);
    },
    score: (event) => {
      part("NS").textContent = String(event.NS);
      part("EW").textContent = String(event.EW);
      const line = document.createElement("li");
      const mordienne = event.kind === "mordienne" ? ", a mordienne" : "";
      line.textContent = event.side ? `Deal ${event.deal}: ${event.points} for ${event.side}${mordienne}` : `Deal ${event.deal}: nobody scores`;
      part("deals").append(line);
    },
    over: () => {
      source.close();
      const link = document.createElement("a");
      link.href = root.dataset.then;
      link.textContent = "Step through it, with all hands";
      part("caption").replaceChildren("The match is over. ", link);
    },
  };
  // Who comes again after a break is told everything from the beginning.
  const begin = () => {
    clear();
    part("NS").textContent = part("EW").textContent = "0";
    part("deals").replaceChildren();
  };
  root.hidden = false;
  const source = new EventSource(root.dataset.from);
  source.addEventListener("open", begin);
  source.addEventListener("message", (message) => {
    const event = JSON.parse(message.data);
    if (take[event.event]) take[event.event](event);
  });
  source.addEventListener("error", () => {
    if (source.readyState === EventSource.CLOSED) take.over();
    else say("The line broke: trying again.");
  });
})();
