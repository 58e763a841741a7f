import { Button, Group, Popover, Text } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useState, type KeyboardEvent } from 'react';
import { useTRPC } from '@/components/client/trpc';
import { useCurrentUser } from '@/components/client/useCurrentUser';
import { TOUR_STEPS } from './steps';
import classes from './Tour.module.css';

const isPhoneScreen = () => matchMedia('(max-width: 48em)').matches;

function targetRect(at: number): DOMRect | undefined {
  const step = TOUR_STEPS[at];
  return step && document.querySelector(step.target)?.getBoundingClientRect();
}

/** Returns the same object if nothing moved. */
const sameOrMovedRect = (before: DOMRect | undefined, now: DOMRect | undefined) =>
  JSON.stringify(before) === JSON.stringify(now) ? before : now;

/** The next step from `at` whose target exists. */
const nextVisibleStep = (at: number): number => {
  const next = TOUR_STEPS.findIndex((_, index) => index >= at && targetRect(index) !== undefined);
  return next === -1 ? TOUR_STEPS.length : next;
};

/** The tour of the editor, shown once per person. */
export function Tour() {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const { me } = useCurrentUser();
  const save = useMutation(trpc.auth.savePreferences.mutationOptions());
  if (!me || me.user.preferences.isTourOver || isPhoneScreen()) return null;
  const end = () => {
    const preferences = { isTourOver: true };
    queryClient.setQueryData(trpc.auth.me.queryKey(), { ...me, user: { ...me.user, preferences } });
    // A failed save only shows the tour again, so it is ignored.
    save.mutate({ body: preferences });
  };
  return <TourSteps onEnd={end} />;
}

/** The steps are not modal, so that the editor stays usable. */
function TourSteps({ onEnd }: { onEnd(): void }) {
  const [at, setAt] = useState(() => nextVisibleStep(0));
  const [place, setPlace] = useState(() => targetRect(at));
  const step = TOUR_STEPS[at];
  useEffect(() => {
    const look = () => setPlace((before) => sameOrMovedRect(before, targetRect(at)));
    look();
    // The target is polled, because the canvas is animated.
    const timer = setInterval(look, 300);
    return () => clearInterval(timer);
  }, [at]);
  const focus = useCallback((button: HTMLButtonElement | null) => button?.focus({ preventScroll: true }), []);
  const go = (to: number) => {
    if (to >= TOUR_STEPS.length) onEnd();
    setAt(to);
  };
  if (!step || !place) return null;
  const next = nextVisibleStep(at + 1);
  const isLast = next >= TOUR_STEPS.length;
  const onKeyDown = (event: KeyboardEvent) => {
    // Keeps shortcuts of the editor from firing.
    event.stopPropagation();
    if (event.key === 'Escape') go(TOUR_STEPS.length);
  };
  const { left, top, width, height } = place;
  return (
    <Popover
      key={at}
      opened
      withRoles={false}
      withArrow
      position="bottom"
      width={300}
      shadow="lg"
      closeOnEscape={false}
    >
      <Popover.Target>
        <div className={classes.ring} style={{ left, top, width, height }} />
      </Popover.Target>
      <Popover.Dropdown role="dialog" aria-label="Tour" data-tour-step onKeyDown={onKeyDown}>
        <Text fw={620} mb={4}>
          {step.title}
        </Text>
        <Text size="sm">{step.text}</Text>
        <Group justify="space-between" mt="md">
          <Text size="xs" c="dimmed">
            {at + 1} of {TOUR_STEPS.length}
          </Text>
          <Group gap="xs">
            {!isLast && (
              <Button size="compact-sm" variant="subtle" onClick={() => go(TOUR_STEPS.length)}>
                Skip the tour
              </Button>
            )}
            <Button key={at} ref={focus} size="compact-sm" onClick={() => go(next)}>
              {isLast ? 'Done' : 'Next'}
            </Button>
          </Group>
        </Group>
      </Popover.Dropdown>
    </Popover>
  );
}
