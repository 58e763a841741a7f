import { Marked } from '@/components/ui/values/Marked';
import type { DocumentationHit } from '@/contract/documentation';
import classes from './Documentation.module.css';

/** Title, heading and excerpt of a page that was found. */
export function HitText({ hit: { title, heading, excerpt, marks } }: { hit: DocumentationHit }) {
  return (
    <>
      <span className={classes.title}>
        <Marked text={title} words={marks} />
        {heading && (
          <>
            {' › '}
            <Marked text={heading} words={marks} />
          </>
        )}
      </span>
      <span className={classes.excerpt}>
        <Marked text={excerpt} words={marks} />
      </span>
    </>
  );
}
