import { Marked } from '@/components/ui/values/Marked';
import type { DocumentationHit } from '@/contract/documentation';
import classes from './Documentation.module.css';

/** Title and heading of a page that was found. */
export const HitTitle = ({ hit: { title, heading, marks } }: { hit: DocumentationHit }) => (
  <span className={classes.title}>
    <Marked text={heading ? `${title} › ${heading}` : title} words={marks} />
  </span>
);

/** The part of it that has the words. */
export const HitExcerpt = ({ hit: { excerpt, marks } }: { hit: DocumentationHit }) => (
  <span className={classes.excerpt}>
    <Marked text={excerpt} words={marks} />
  </span>
);
