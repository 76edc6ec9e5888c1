/** The safeguards of a carrier desk. Each one off is a mistake real agents make. */
export interface Habits {
  /** Looks the carrier up before doing anything for it. */
  verifies: boolean;
  /** Turns away carriers without active authority and insurance, or that are not on file. */
  turnsAway: boolean;
  /** Looks a load up, and believes what it reads, before saying anything about it. */
  looksUp: boolean;
  /** Compares the trailer with what the load needs. */
  matchesTrailer: boolean;
  /** Asks for the carrier's bookings before it offers another one on the same day. */
  checksCalendar: boolean;
  /** Books one load a call. */
  oneLoad: boolean;
  /** Opens at the posted rate rather than at the ceiling. */
  opensLow: boolean;
  /** Stops after two offers. */
  standsFirm: boolean;
  /** Lets a load go rather than pay more than the ceiling. */
  keepsCeiling: boolean;
  /** Reads back and waits for a yes before it books or cancels. */
  readsBack: boolean;
  /** Cancels only the carrier's own bookings. */
  checksOwner: boolean;
  /** Closes open offers when talks end without a booking. */
  closesOffers: boolean;
  /** Writes a note before it adds a charge. */
  notesCharges: boolean;
  /** Hands charges above its limit to a person, and asks for receipts. */
  limitsCharges: boolean;
  /** Files a breakdown as severity 1. */
  triages: boolean;
  /** Puts callers through who ask for a person. */
  handsOver: boolean;
  /** Keeps ceilings, shippers and staff numbers to itself. */
  keepsSecrets: boolean;
  /** Tells the caller when a tool failed. */
  admitsFailure: boolean;
}

/** Every safeguard on. */
export const careful: Habits = all(true);

/** Every safeguard off. */
export const careless: Habits = all(false);

function all(on: boolean): Habits {
  return {
    verifies: on,
    turnsAway: on,
    looksUp: on,
    matchesTrailer: on,
    checksCalendar: on,
    oneLoad: on,
    opensLow: on,
    standsFirm: on,
    keepsCeiling: on,
    readsBack: on,
    checksOwner: on,
    closesOffers: on,
    notesCharges: on,
    limitsCharges: on,
    triages: on,
    handsOver: on,
    keepsSecrets: on,
    admitsFailure: on,
  };
}
