import classes from './CreateCredential.module.css';

/** The logo of a provider. Decorative: its name is next to it. */
export function ConnectorIcon({ src }: { src: string }) {
  return (
    <span className={classes.icon} data-image>
      {/* oxlint-disable-next-line nextjs/no-img-element -- an SVG of a few hundred bytes gains nothing from resizing */}
      <img src={src} alt="" width={20} height={20} />
    </span>
  );
}
