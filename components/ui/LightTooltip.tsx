import {
  cloneElement,
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
  type ReactElement,
  type SyntheticEvent,
} from 'react';
import { createPortal } from 'react-dom';
import classes from './LightTooltip.module.css';

const TOOLTIP_DELAY_MS = 300;
const TOOLTIP_GAP_PX = 7;

interface TooltipTargetProps {
  onPointerEnter?(event: SyntheticEvent<HTMLElement>): void;
  onPointerLeave?(): void;
  onPointerDown?(): void;
  onFocus?(event: SyntheticEvent<HTMLElement>): void;
  onBlur?(): void;
}

interface Props {
  label: string;
  side?: 'top' | 'right';
  isOff?: boolean;
  children: ReactElement<TooltipTargetProps>;
}

/**
 * A lightweight tooltip for elements that occur on every page or hundreds of times in a list: no extra element and no
 * measuring until it is shown.
 */
export function LightTooltip({ label, side = 'top', isOff = false, children }: Props) {
  const [over, setOver] = useState<Element>();
  const [isShown, setShown] = useState(false);
  useEffect(() => {
    if (!over) return;
    const timer = setTimeout(() => setShown(true), TOOLTIP_DELAY_MS);
    return () => {
      clearTimeout(timer);
      setShown(false);
    };
  }, [over]);
  const show = ({ currentTarget }: SyntheticEvent<HTMLElement>) => setOver(currentTarget);
  const hide = () => setOver(undefined);
  if (isOff) return children;
  return (
    <>
      {cloneElement(children, {
        onPointerEnter: show,
        onPointerLeave: hide,
        onPointerDown: hide,
        onFocus: (event) => event.currentTarget.matches(':focus-visible') && show(event),
        onBlur: hide,
      })}
      {isShown &&
        over &&
        createPortal(<TooltipBubble key={label} label={label} side={side} over={over} />, document.body)}
    </>
  );
}

function TooltipBubble({ label, side, over }: { label: string; side: 'top' | 'right'; over: Element }) {
  const ref = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    if (!ref.current) return;
    const target = over.getBoundingClientRect();
    const { width, height } = ref.current.getBoundingClientRect();
    const within = (value: number, most: number) => Math.max(TOOLTIP_GAP_PX, Math.min(value, most - TOOLTIP_GAP_PX));
    const above = target.top - height - TOOLTIP_GAP_PX;
    const [left, top] =
      side === 'right'
        ? [target.right + TOOLTIP_GAP_PX, target.top + (target.height - height) / 2]
        : [target.left + (target.width - width) / 2, above < TOOLTIP_GAP_PX ? target.bottom + TOOLTIP_GAP_PX : above];
    ref.current.style.left = `${within(left, innerWidth - width)}px`;
    ref.current.style.top = `${within(top, innerHeight - height)}px`;
  }, [side, over]);
  return (
    <div ref={ref} role="tooltip" className={classes.hint}>
      {label}
    </div>
  );
}
