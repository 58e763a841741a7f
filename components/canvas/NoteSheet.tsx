import { NodeResizeControl, type NodeProps } from '@xyflow/react';
import { memo, use, useState } from 'react';
import { later } from '../client/later';
import { AnnotatingContext } from './annotating';
import { AnnotationTools } from './AnnotationTools';
import type { Sheet } from './items';
import classes from './Annotations.module.css';

// Most workflows have no notes.
const NoteText = later(() => import('./NoteText').then((module) => module.NoteText));

/** A note on the canvas. A double click or F2 begins writing, Escape or a click elsewhere ends it. */
export const NoteSheet = memo(function NoteSheet({ id, data: { note }, selected }: NodeProps<Sheet>) {
  const annotating = use(AnnotatingContext);
  const [isAsked, setAsked] = useState(false);
  const isWriting = annotating !== undefined && selected && (isAsked || note.text === '');
  const write = () => setAsked(true);
  return (
    <div
      className={classes.note}
      data-color={note.color}
      data-selected={selected || undefined}
      style={{ width: note.size.width, height: note.size.height }}
      onDoubleClick={write}
    >
      {annotating && selected && (
        <AnnotationTools
          renameLabel="Write"
          color={note.color}
          onRename={write}
          onColor={(color) => annotating.changeNote(id, { color })}
        />
      )}
      {isWriting ? (
        <textarea
          className={`${classes.writing} nodrag nopan nowheel`}
          aria-label="Text of the note, in Markdown"
          placeholder="Write a note. **Bold**, # headings, - lists and [links](https://…) work."
          maxLength={10_000}
          autoFocus
          defaultValue={note.text}
          onChange={(event) => annotating.changeNote(id, { text: event.currentTarget.value })}
          // An empty note is written on without being asked for, and goes on being so with its first letter.
          onFocus={write}
          onBlur={() => setAsked(false)}
          onKeyDown={(event) => {
            if (event.key !== 'Escape') return;
            event.stopPropagation();
            event.currentTarget.blur();
          }}
        />
      ) : (
        <div className={`${classes.text} ${selected ? 'nowheel' : ''}`}>
          {note.text ? <NoteText text={note.text} /> : <span className={classes.hint}>An empty note</span>}
        </div>
      )}
      {annotating && selected && (
        <NodeResizeControl position="bottom-right" minWidth={120} minHeight={80} className={classes.corner} />
      )}
    </div>
  );
});
