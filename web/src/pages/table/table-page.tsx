import { useEffect, useId, useState } from "react";
import { go, href } from "../../app/router.ts";
import type { PageProps } from "../../app/routes.ts";
import { Button } from "../../ui/button.tsx";
import { StagedBar } from "./bar/staged-bar.tsx";
import { StatusLine } from "./bar/status-line.tsx";
import { Toolbar } from "./bar/toolbar.tsx";
import { ViewChips } from "./bar/view-chips.tsx";
import type { DemoTable } from "./data/demo-table.ts";
import { tables } from "./data/tables.ts";
import { Grid } from "./grid/grid.tsx";
import { roomOf, startOver, useRoom } from "./room/rooms.ts";
import type { TableRoom } from "./room/table-room.ts";
import { TalkPanel } from "./talk/talk-panel.tsx";
import "./table.css";

/** A table of ten thousand rows that a person and an agent work on together. */
export function TablePage({ path }: PageProps) {
  const demo = tables.find((one) => one.id === path[0]) ?? tables[0];
  return <RoomOf key={demo.id} demo={demo} />;
}

function RoomOf({ demo }: { demo: DemoTable }) {
  const [room, setRoom] = useState(() => roomOf(demo));
  return <RoomView key={demo.id} room={room} onStartOver={() => setRoom(startOver(demo))} />;
}

function RoomView({ room, onStartOver }: { room: TableRoom; onStartOver: () => void }) {
  const state = useRoom(room);
  const choice = useId();
  useEffect(() => {
    void room.followBackend();
  }, [room]);
  return (
    <div className="table-page">
      <header className="table-head">
        <h1 tabIndex={-1}>Live table</h1>
        <div className="table-choice">
          <label htmlFor={choice} className="visually-hidden">
            Table
          </label>
          <select
            id={choice}
            className="input"
            value={room.demo.id}
            onChange={(event) => go(href(["table", event.target.value]))}
          >
            {tables.map(({ id, label }) => (
              <option key={id} value={id}>
                {label}
              </option>
            ))}
          </select>
        </div>
        <p className="soft table-lead">You and the agent work on one table: ask, or do it by hand.</p>
        <Button
          small
          look="quiet"
          icon="refresh"
          className="start-over"
          disabled={state.running}
          onClick={onStartOver}
        >
          <span>Start over</span>
        </Button>
      </header>
      <div className="table-work">
        <section className="table-side card" aria-label={room.demo.label}>
          <Toolbar room={room} state={state} />
          <ViewChips room={room} />
          <Grid key={room.demo.id} room={room} state={state} />
          <StagedBar room={room} />
          <StatusLine room={room} />
        </section>
        <TalkPanel room={room} state={state} />
      </div>
    </div>
  );
}
