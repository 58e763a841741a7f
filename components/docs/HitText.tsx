import { HighlightedText } from '@/components/ui/values/HighlightedText';
import type { DocumentationHit } from '@/contract/documentation';
import classes from './Documentation.module.css';

/** Title and heading of a page that was found. */
export const SearchHitTitle = ({ hit: { title, heading, marks } }: { hit: DocumentationHit }) => (
  <span className={classes.title}>
    <HighlightedText text={heading ? `${title} › ${heading}` : title} words={marks} />
  </span>
);

/** The part of it that has the words. */
export const SearchHitExcerpt = ({ hit: { excerpt, marks } }: { hit: DocumentationHit }) => (
  <span className={classes.excerpt}>
    <HighlightedText text={excerpt} words={marks} />
  </span>
);
