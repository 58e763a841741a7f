import { Skeleton, Text, UnstyledButton } from '@mantine/core';
import type { KeyboardEvent, Ref } from 'react';
import type { TemplateSummary } from '@/contract/workflows/template';
import { TemplatePicture } from './TemplatePicture';
import { TemplateServices } from './TemplateServices';
import classes from './TemplateGallery.module.css';

interface Props {
  ref?: Ref<HTMLDivElement>;
  templates: readonly TemplateSummary[];
  onPick(id: string): void;
}

/** Templates with their pictures. Arrows go from card to card. */
export function TemplateCards({ ref, templates, onPick }: Props) {
  const onCardKey = (event: KeyboardEvent<HTMLDivElement>) => {
    const all = [...event.currentTarget.querySelectorAll('button')];
    const at = all.indexOf(document.activeElement as HTMLButtonElement);
    const next = at === -1 ? undefined : neighbourCard(event.key, at, all);
    if (!next) return;
    event.preventDefault();
    next.focus();
  };
  return (
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions -- arrows move between the buttons inside
    <div ref={ref} className={classes.grid} onKeyDown={onCardKey}>
      {templates.map((template) => (
        <TemplateCard key={template.id} template={template} onPick={() => onPick(template.id)} />
      ))}
    </div>
  );
}

/** The card that an arrow leads to: up and down to the nearest one in the next row. */
function neighbourCard(key: string, at: number, all: HTMLButtonElement[]): HTMLButtonElement | undefined {
  if (key === 'ArrowRight') return all[at + 1];
  if (key === 'ArrowLeft') return all[at - 1];
  if (key !== 'ArrowDown' && key !== 'ArrowUp') return undefined;
  const left = all[at]?.offsetLeft;
  const candidates = key === 'ArrowDown' ? all.slice(at + 1) : all.slice(0, at).toReversed();
  return candidates.find(({ offsetLeft }) => offsetLeft === left);
}

function TemplateCard({ template, onPick }: { template: TemplateSummary; onPick(): void }) {
  const { name, description, services, outline } = template;
  return (
    <UnstyledButton className={classes.card} onClick={onPick}>
      <span className={classes.picture}>
        <TemplatePicture outline={outline} />
      </span>
      <span className={classes.words}>
        <Text component="span" display="block" fw={600} size="sm">
          {name}
        </Text>
        <Text component="span" display="block" size="xs" c="dimmed" mt={2} mb={8}>
          {description}
        </Text>
        <TemplateServices services={services} />
      </span>
    </UnstyledButton>
  );
}

export const CardSkeletons = () => (
  <div className={classes.grid} aria-busy="true" aria-label="Loading">
    {Array.from({ length: 6 }, (_, index) => (
      <Skeleton key={index} h={216} radius={10} />
    ))}
  </div>
);
