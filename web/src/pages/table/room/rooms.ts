import { useSyncExternalStore } from "react";
import type { DemoTable } from "../data/demo-table.ts";
import { type RoomState, TableRoom } from "./table-room.ts";

/** Rooms stay while the page does: who looks at another page of the console finds everything again. */
const rooms = new Map<string, TableRoom>();

export function roomOf(demo: DemoTable): TableRoom {
  const known = rooms.get(demo.id);
  if (known !== undefined) return known;
  const room = new TableRoom(demo);
  rooms.set(demo.id, room);
  return room;
}

/** The table as it was made, with nothing said. */
export function startOver(demo: DemoTable): TableRoom {
  rooms.get(demo.id)?.forget();
  rooms.delete(demo.id);
  return roomOf(demo);
}

/** What the page draws of a room. */
export function useRoom(room: TableRoom): RoomState {
  return useSyncExternalStore(room.subscribe, room.snapshot);
}
