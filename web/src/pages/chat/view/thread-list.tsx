import { useState } from "react";
import { safeText } from "../../../../../src/sandtable/report/safe-text.ts";
import { messageOf } from "../../../api/errors.ts";
import { go, href } from "../../../app/router.ts";
import { Button } from "../../../ui/button.tsx";
import { Dialog } from "../../../ui/dialog.tsx";
import { TextField } from "../../../ui/field.tsx";
import { Ago } from "../../../ui/time.tsx";
import { toast } from "../../../ui/toast.tsx";
import { changeThread, forgetThread, type ThreadEntry, useThreads } from "../model/threads.ts";
import { deleteThread } from "../wire/sessions.ts";

/** The threads this browser has had with an agent: open, rename, delete, begin another. */
export function ThreadList({
  agent,
  selected,
  onNew,
  onChosen,
}: {
  agent: string;
  selected: string | undefined;
  onNew: () => void;
  onChosen: () => void;
}) {
  const threads = useThreads(agent);
  const [open, setOpen] = useState<ThreadEntry | null>(null);
  return (
    <div className="threads">
      <Button icon="plus" onClick={onNew}>
        New chat
      </Button>
      {threads.length === 0 ? (
        <p className="soft small threads-none">What you say to {agent} is listed here, in this browser.</p>
      ) : (
        <ul className="threads-list">
          {threads.map((thread) => (
            <li key={thread.id}>
              <a
                href={href(["chat", agent, thread.id])}
                aria-current={thread.id === selected ? "page" : undefined}
                onClick={onChosen}
              >
                <span className="truncate">{safeText(thread.title)}</span>
                <span className="soft small">
                  <Ago at={thread.at} />
                </span>
              </a>
              <Button
                small
                look="quiet"
                icon="edit"
                aria-label={`Rename or delete ${safeText(thread.title)}`}
                onClick={() => setOpen(thread)}
              />
            </li>
          ))}
        </ul>
      )}
      {open !== null && (
        <ThreadDialog
          key={open.id}
          agent={agent}
          thread={open}
          onClose={() => setOpen(null)}
          onDeleted={() => {
            setOpen(null);
            if (open.id === selected) go(href(["chat", agent]));
          }}
        />
      )}
    </div>
  );
}

function ThreadDialog({
  agent,
  thread,
  onClose,
  onDeleted,
}: {
  agent: string;
  thread: ThreadEntry;
  onClose: () => void;
  onDeleted: () => void;
}) {
  const [title, setTitle] = useState(thread.title);
  const [busy, setBusy] = useState(false);
  const save = () => {
    if (title.trim() !== "") changeThread(agent, thread.id, { title: title.trim() });
    onClose();
  };
  const remove = async () => {
    setBusy(true);
    try {
      await deleteThread(agent, thread.id);
      forgetThread(agent, thread.id);
      onDeleted();
    } catch (error) {
      toast({ tone: "bad", text: `It is still there. ${messageOf(error)}` });
      setBusy(false);
    }
  };
  return (
    <Dialog
      open
      onClose={onClose}
      title="This thread"
      footer={
        <>
          <Button look="danger" icon="trash" busy={busy} onClick={remove}>
            Delete for good
          </Button>
          <Button look="primary" onClick={save}>
            Save
          </Button>
        </>
      }
    >
      <form
        className="stack"
        onSubmit={(event) => {
          event.preventDefault();
          save();
        }}
      >
        <TextField label="Title" value={title} onChange={setTitle} maxLength={120} />
        <p className="soft small wrap-anywhere">
          Its session on the Worker is <code>{thread.id}</code>. Deleting it deletes the conversation, its
          state and what of it waits in the inbox.
        </p>
      </form>
    </Dialog>
  );
}
