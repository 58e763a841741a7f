import { UnstyledButton } from '@mantine/core';
import { useState } from 'react';
import { cutLongText } from './long-text';
import classes from './DataView.module.css';

/** A text with its lines: the first of them, or all. */
export function LongText({ name, text }: { name: string; text: string }) {
  const [isWhole, setWhole] = useState(false);
  const { shown, isCut, rest } = cutLongText(text, isWhole);
  return (
    <>
      <span className={classes.lines}>{shown}</span>
      {rest > 0 && <span className={classes.kind}>… and {rest.toLocaleString('en')} more characters</span>}
      {(isCut || isWhole) && (
        <UnstyledButton
          className={classes.more}
          aria-expanded={isWhole}
          aria-label={isWhole ? `Show less of ${name}` : `Show all of ${name}`}
          onClick={() => setWhole(!isWhole)}
        >
          {isWhole ? 'Show less' : `Show all (${text.length.toLocaleString('en')} characters)`}
        </UnstyledButton>
      )}
    </>
  );
}
