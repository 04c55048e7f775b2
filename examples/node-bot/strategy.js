// How this bot plays: the one file to change. bot.js makes one Strategy for each match and asks it; every method
// may be async. A turn is the message `Turn` of proto/aluette/v1/referee.proto with names in camelCase; enums are
// their names: a card is "CARD_D3", a seat "SEAT_N".

const NAMED = [
  // The eight cards that stand alone, strongest first, and the signal that says "I hold it".
  ["CARD_D3", "SIGNAL_MONSIEUR"],
  ["CARD_C3", "SIGNAL_MADAME"],
  ["CARD_D2", "SIGNAL_BORGNE"],
  ["CARD_C2", "SIGNAL_VACHE"],
  ["CARD_C9", "SIGNAL_GRAND_NEUF"],
  ["CARD_D9", "SIGNAL_PETIT_NEUF"],
  ["CARD_B2", "SIGNAL_DEUX_DE_CHENE"],
  ["CARD_S2", "SIGNAL_DEUX_DECRIT"],
];
const SIGNALS = new Map(NAMED);
const STRENGTHS = new Map(NAMED.map(([card], place) => [card, 19 - place]));
const RANKS = "3456789JQKA"; // of all other cards, strengths 1 to 11: these may tie

export function strength(card) {
  return STRENGTHS.get(card) ?? RANKS.indexOf(card.at(-1)) + 1;
}

export class Strategy {
  // `match` is `MatchBegun`: seat, rules, seed, names, limits. `options` are those of the tournament file.
  constructor(match, options) {
    this.seat = match.seat;
    this.signals = options.signals ?? true;
  }

  // First look at nine cards: signal something to the partner, or nothing. Any answer but the cut may come with a
  // `sign`; one that the rules do not have is dropped, which is no fault.
  look(turn) {
    const signal = this.signals && SIGNALS.get(turn.hand[0]);
    return signal ? { look: {}, sign: { signal } } : { look: {} };
  }

  // How many cards from the top go under the others, 1 to 47 (only under `cut=player`).
  cut() {
    return { cut: 24 };
  }

  // The chant gives six more cards to the dealer and to the dealer's left, opponents: agree as one of these.
  chant(turn) {
    const seats = ["SEAT_N", "SEAT_E", "SEAT_S", "SEAT_W"];
    const after = (seats.indexOf(this.seat) - seats.indexOf(turn.deal.dealer) + 4) % 4;
    return { chant: after < 2 };
  }

  // Six of fifteen to put aside; a hand comes strongest first. The weakest are allowed under every rule set.
  discard(turn) {
    return { discard: { cards: turn.hand.slice(-6) } };
  }

  // The weakest card that wins what lies there; else, or when the partner wins already, the weakest.
  play(turn) {
    const trick = turn.deal.cards.slice(4 * turn.deal.winners.length);
    const lying = trick.map(strength);
    const partner = lying.at(-2) ?? 0; // two before this seat
    const partnerWins = trick.length === 3 && lying.every((other, place) => place === 1 || other < partner);
    const best = Math.max(0, ...lying);
    const winning = turn.hand.filter((card) => strength(card) > best);
    const weakest = turn.hand.at(-1);
    if (partnerWins || trick.length === 0) return { play: weakest };
    return { play: winning.at(-1) ?? weakest };
  }

  // What happened between turns: `DealEnded`, and `MatchEnded`.
  dealEnded() {}

  matchEnded() {}
}
