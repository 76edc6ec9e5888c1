/** Paths on a 24 by 24 grid, drawn as strokes. */
const paths = {
  home: "M3 11.5 12 4l9 7.5M5.5 9.5V20h13V9.5",
  chat: "M4 5h16v11H9l-5 4V5Z",
  table: "M4 5h16v14H4V5Zm0 5h16M10 10v9",
  rehearsal: "M5 4h14v16H5V4Zm3.5 4.5 1.5 1.5 2.5-3M8.5 15l1.5 1.5 2.5-3M15 9h1.5M15 15.5h1.5",
  inbox: "M4 13 6.5 5h11L20 13v6H4v-6Zm0 0h5l1 2.5h4l1-2.5h5",
  runs: "M4 6h16M4 12h10M4 18h13",
  workflow: "M5 4h5v5H5V4Zm9 11h5v5h-5v-5ZM7.5 9v4.5a3 3 0 0 0 3 3H14",
  settings:
    "M12 9a3 3 0 1 0 0 6 3 3 0 0 0 0-6Zm0-6v3m0 12v3M3 12h3m12 0h3M5.6 5.6l2.2 2.2m8.4 8.4 2.2 2.2m0-12.8-2.2 2.2m-8.4 8.4-2.2 2.2",
  check: "m5 12.5 4.5 4.5L19 7.5",
  cross: "M6 6l12 12M18 6 6 18",
  alert: "M12 4 2.8 20h18.4L12 4Zm0 6v4.5m0 2.5v.5",
  info: "M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18Zm0 8v5.5M12 7.5V8",
  dash: "M6 12h12",
  copy: "M9 9h11v11H9V9Zm-4 6H4V4h11v1",
  download: "M12 4v11m-4.5-4.5L12 15l4.5-4.5M4 20h16",
  play: "M7 4.5 19 12 7 19.5v-15Z",
  stop: "M6 6h12v12H6V6Z",
  refresh: "M19.5 12a7.5 7.5 0 1 1-2.2-5.3L20 9.5M20 4v5.5h-5.5",
  plus: "M12 5v14M5 12h14",
  menu: "M4 6.5h16M4 12h16M4 17.5h16",
  sun: "M12 8a4 4 0 1 0 0 8 4 4 0 0 0 0-8Zm0-5v2m0 14v2M3 12h2m14 0h2M5.6 5.6 7 7m10 10 1.4 1.4m0-12.8L17 7M7 17l-1.4 1.4",
  moon: "M20 14.5A8.5 8.5 0 0 1 9.5 4a8.5 8.5 0 1 0 10.5 10.5Z",
  system: "M4 5h16v11H4V5Zm5 15h6m-3-4v4",
  right: "m9 5 7 7-7 7",
  left: "m15 5-7 7 7 7",
  down: "m5 9 7 7 7-7",
  compare: "M12 4v16M4 8h5v9H4V8Zm11 0h5v9h-5V8Z",
  clock: "M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18Zm0 4.5V12l3 2",
  key: "M14.5 4a5.5 5.5 0 1 0 0 11 5.5 5.5 0 0 0 0-11Zm-4 9L4 19.5V21h3v-2h2v-2l2-2",
  edit: "M4 20v-3.5L15.5 5 19 8.5 7.5 20H4Z",
  user: "M12 4a4 4 0 1 0 0 8 4 4 0 0 0 0-8ZM4.5 20a7.5 7.5 0 0 1 15 0",
  robot: "M6 9h12v10H6V9Zm6-4v4M9.5 13v1.5m5-1.5v1.5M3.5 13v3m17-3v3",
  tool: "M14 7a4 4 0 0 1 5-3.5L16.5 6l1.5 1.5L20.5 5A4 4 0 0 1 15 10L7 18a1.8 1.8 0 0 1-2.5-2.5L13 8",
  offline: "M4 4l16 16M5 10a10 10 0 0 1 3-2m4-1a10 10 0 0 1 7 3M8.5 14a5 5 0 0 1 5-1.3M12 18v.5",
  mic: "M12 4a2.5 2.5 0 0 0-2.5 2.5v5a2.5 2.5 0 0 0 5 0v-5A2.5 2.5 0 0 0 12 4Zm-6 7.5a6 6 0 0 0 12 0M12 17.5V21",
  send: "M4 12 20 4l-5 16-3.5-6.5L4 12Z",
  trash: "M5 7h14M10 7V4h4v3m-7.5 0 1 13h9l1-13",
  undo: "M8 5 4 9l4 4M4 9h10a5 5 0 0 1 0 10h-4",
  external: "M14 4h6v6m0-6-9 9M18 14v6H4V6h6",
} as const;

export type IconName = keyof typeof paths;

/** A picture beside words, or alone in something that has a name of its own: it is never read out. */
export function Icon({ name, size = 18 }: { name: IconName; size?: number }) {
  return (
    <svg
      className="icon"
      width={size}
      height={size}
      viewBox="0 0 24 24"
      fill="none"
      stroke="currentColor"
      strokeWidth="1.8"
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
    >
      <path d={paths[name]} />
    </svg>
  );
}
