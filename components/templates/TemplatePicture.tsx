import { useId } from 'react';
import type { NodeTypeDescription } from '@/contract/workflows/node-type';
import type { TemplateOutline } from '@/contract/workflows/template';
import { useNodeTypes } from '@/components/client/queries/useNodeTypes';
import { findTriggerKind } from '@/components/triggers/kinds';
import { layOutPicture, type PictureCard } from './picture';
import classes from './TemplatePicture.module.css';

interface Props {
  outline: TemplateOutline;
  /** With the names of the nodes beside their icons. */
  hasNames?: boolean;
}

const CARD_ICON_SIZE = 20;

/** A picture of a workflow, drawn from its definition. Decorative: the name and description are next to it. */
export function TemplatePicture({ outline, hasNames = false }: Props) {
  const id = useId();
  const { data: types } = useNodeTypes();
  const { width, height, card, cards, wires, triggers } = layOutPicture(outline, hasNames ? 'names' : 'icons');
  const kinds = new Map(types?.map((kind) => [kind.type, kind]));
  const masks = [...new Set(cards.filter(({ connectorId }) => !connectorId).map(({ type }) => type))];
  return (
    <svg
      className={classes.picture}
      viewBox={`0 0 ${width} ${height}`}
      style={{ maxWidth: width, maxHeight: height }}
      aria-hidden
      focusable="false"
    >
      {masks.map((type) => (
        <mask key={type} id={`${id}${type}`} style={{ maskType: 'alpha' }}>
          <image href={`/nodes/${type}.svg`} width={CARD_ICON_SIZE} height={CARD_ICON_SIZE} />
        </mask>
      ))}
      {wires.map(({ path, isError }) => (
        <path key={path} d={path} className={classes.wire} data-error={isError || undefined} />
      ))}
      {triggers.map(({ kind, x, y }) => {
        const Icon = findTriggerKind(kind)?.icon;
        const radius = card.height / 2;
        return (
          <g key={kind} transform={`translate(${x} ${y})`}>
            <circle className={classes.trigger} cx={radius} cy={radius} r={radius} />
            {Icon && <Icon className={classes.triggerIcon} x={radius - 10} y={radius - 10} size={20} stroke={1.7} />}
          </g>
        );
      })}
      {cards.map((one) => (
        <g key={one.id} transform={`translate(${one.x} ${one.y})`}>
          <rect className={classes.card} width={card.width} height={card.height} rx={9} />
          <PictureCardIcon card={one} kind={kinds.get(one.type)} mask={`${id}${one.type}`} height={card.height} />
          {hasNames && (
            <foreignObject x={42} y={4} width={card.width - 46} height={card.height - 8}>
              <div className={classes.name}>{one.name ?? kinds.get(one.type)?.title ?? one.type}</div>
            </foreignObject>
          )}
        </g>
      ))}
    </svg>
  );
}

/** The logo of a service, or the drawing of a node type in the colour of its category. */
function PictureCardIcon({
  card,
  kind,
  mask,
  height,
}: {
  card: PictureCard;
  kind?: NodeTypeDescription;
  mask: string;
  height: number;
}) {
  const at = (height - CARD_ICON_SIZE) / 2;
  if (card.connectorId) {
    return (
      <>
        <rect
          className={classes.logo}
          x={at - 4}
          y={at - 4}
          width={CARD_ICON_SIZE + 8}
          height={CARD_ICON_SIZE + 8}
          rx={6}
        />
        <image
          href={`/connectors/${card.connectorId}.svg`}
          x={at}
          y={at}
          width={CARD_ICON_SIZE}
          height={CARD_ICON_SIZE}
        />
      </>
    );
  }
  return (
    <g transform={`translate(${at} ${at})`}>
      <rect
        className={classes.icon}
        data-category={kind?.category ?? 'unknown'}
        width={CARD_ICON_SIZE}
        height={CARD_ICON_SIZE}
        mask={`url(#${mask})`}
      />
    </g>
  );
}
