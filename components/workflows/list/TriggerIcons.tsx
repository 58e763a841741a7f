import type { ListedTrigger } from '@/contract/workflows/listed-trigger';
import { operationIconPath } from '@/contract/connectors/connector-icons';
import { useConnectors } from '@/components/client/queries/useConnectors';
import { LightTooltip } from '@/components/ui/LightTooltip';
import { senderIconUrl } from '@/components/ui/brands/WebhookSenderIcon';
import { describeListedTrigger } from '@/components/triggers/describe-listed-trigger';
import { findTriggerKind } from '@/components/triggers/kinds';
import classes from './TriggerIcons.module.css';

const MAX_TRIGGER_ICONS = 4;

/** What starts a workflow, as icons with names. */
export function TriggerIcons({ triggers }: { triggers: readonly ListedTrigger[] }) {
  const { data: connectors } = useConnectors(triggers.some(({ service }) => service !== null));
  const described = triggers.map((trigger) => {
    const connector = connectors?.data.find(({ id }) => id === trigger.service);
    return { trigger, connector, label: describeListedTrigger(trigger, connector) };
  });
  const shown = described.slice(0, described.length > MAX_TRIGGER_ICONS ? MAX_TRIGGER_ICONS - 1 : MAX_TRIGGER_ICONS);
  const rest = described.slice(shown.length).map(({ label }) => label);
  return (
    <span className={classes.icons}>
      {shown.map(({ trigger, connector, label }) => (
        <LightTooltip key={JSON.stringify(trigger)} label={label}>
          <span role="img" aria-label={label} className={classes.icon} data-off={!trigger.enabled || undefined}>
            <TriggerIcon trigger={trigger} isConnector={connector !== undefined} />
          </span>
        </LightTooltip>
      ))}
      {rest.length > 0 && (
        <LightTooltip label={rest.join(', ')}>
          <span role="img" aria-label={`And ${rest.join(', ')}`} className={classes.more}>
            +{rest.length}
          </span>
        </LightTooltip>
      )}
    </span>
  );
}

function TriggerIcon({ trigger, isConnector }: { trigger: ListedTrigger; isConnector: boolean }) {
  const { kind, service, operation } = trigger;
  const address = service && (isConnector ? operationIconPath(service, operation) : senderIconUrl(service));
  // oxlint-disable-next-line nextjs/no-img-element -- an SVG of a few hundred bytes gains nothing from resizing
  if (address) return <img src={address} alt="" width={16} height={16} />;
  const Icon = findTriggerKind(kind)?.icon;
  return Icon && <Icon size={17} aria-hidden />;
}
