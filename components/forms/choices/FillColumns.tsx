import { ActionIcon, Button, CloseButton, Text, Tooltip } from '@mantine/core';
import { IconRefresh, IconWand } from '@tabler/icons-react';
import { use, useState } from 'react';
import type { FieldChoice } from '@/contract/choices';
import { PreviewDataContext } from '../preview-context';
import classes from './Choices.module.css';
import { matchColumnsByName, type ColumnMatch } from './model/match-columns';
import { useExpressionLanguage } from '@/components/ui/values/expression-language';
import type { ExpressionLanguage } from '@/contract/workflows/expression-language';

interface Props {
  columns: readonly FieldChoice[];
  values: Readonly<Record<string, unknown>>;
  onFill(values: Record<string, unknown>): void;
  onRefresh(): void;
}

type FillReport = { problem: string } | (ColumnMatch & { kept: string[] });

/** What a fill would do, or why nothing can be filled. Columns that have a value keep it. */
function planFill(
  input: unknown,
  columns: readonly FieldChoice[],
  values: Readonly<Record<string, unknown>>,
  language: ExpressionLanguage,
): FillReport {
  if (input === undefined || input === null)
    return { problem: 'The input is not known yet. Run the nodes before this one, then fill.' };
  if (Array.isArray(input))
    return {
      problem:
        'The input is a list. Let the node run for each item, or write several rows at once; then the fields of an item can be filled in.',
    };
  if (typeof input !== 'object') return { problem: 'The input is a single value without fields.' };
  const match = matchColumnsByName(columns, input as Record<string, unknown>, language);
  const isKept = ({ column }: { column: string }) => values[column] !== undefined;
  return {
    ...match,
    matched: match.matched.filter((one) => !isKept(one)),
    kept: match.matched.filter(isKept).map(({ column }) => column),
  };
}

/** Fills the empty columns from fields of the input with the same names, and shows what matched and what did not. */
export function FillColumns({ columns, values, onFill, onRefresh }: Props) {
  const input = use(PreviewDataContext)?.scope.input;
  const language = useExpressionLanguage();
  const [report, setReport] = useState<FillReport>();
  const fill = () => {
    const plan = planFill(input, columns, values, language);
    setReport(plan);
    if ('problem' in plan || plan.matched.length === 0) return;
    onFill(Object.fromEntries(plan.matched.map(({ column, value }) => [column, value])));
  };
  return (
    <>
      <div className={classes.fill}>
        <Button variant="light" size="compact-sm" leftSection={<IconWand size={15} aria-hidden />} onClick={fill}>
          Fill from input by name
        </Button>
        <Tooltip label="Read the columns again">
          <ActionIcon variant="subtle" color="gray" size={28} aria-label="Read the columns again" onClick={onRefresh}>
            <IconRefresh size={15} aria-hidden />
          </ActionIcon>
        </Tooltip>
      </div>
      {report && <FillReportView report={report} onClose={() => setReport(undefined)} />}
    </>
  );
}

function FillReportView({ report, onClose }: { report: FillReport; onClose(): void }) {
  const close = <CloseButton size="sm" aria-label="Close the report" style={{ float: 'right' }} onClick={onClose} />;
  if ('problem' in report)
    return (
      <div className={classes.report} role="status">
        {close}
        {report.problem}
      </div>
    );
  const { matched, kept, unmatched, unused } = report;
  const renamed = matched.filter(({ column, field }) => column !== field);
  const lines: [string, string][] = [
    ...renamed.map(({ column, field }): [string, string] => [column, `← ${field}`]),
    ['Kept', kept.join(', ')],
    ['Not found', unmatched.map(({ column, reason }) => (reason ? `${column} (${reason})` : column)).join(', ')],
    ['Not used', unused.join(', ')],
  ];
  const count = matched.length + kept.length + unmatched.length;
  return (
    <div className={classes.report} role="status">
      {close}
      <Text size="sm" fw={600} mb={2}>
        {matched.length} of {count} {count === 1 ? 'column' : 'columns'} filled
      </Text>
      <dl>
        {lines
          .filter(([, text]) => text !== '')
          .map(([title, text]) => (
            <div key={title} className={classes.line}>
              <dt>{title}</dt>
              <dd>{text}</dd>
            </div>
          ))}
      </dl>
    </div>
  );
}
