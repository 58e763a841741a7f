import { Button, FileButton, Menu, type ButtonProps } from '@mantine/core';
import { useRef, type ReactNode } from 'react';
import { AppLink } from '@/components/ui/AppLink';
import { PermittedButton } from '@/components/ui/PermittedButton';
import { ImportPreview } from './ImportPreview';
import { useWorkflowImport } from './useWorkflowImport';

/** Imports workflows: from a file, which may also be dropped on the page, or from a running n8n. */
export function ImportWorkflowButton({ icon }: { icon?: ReactNode }) {
  const imports = useWorkflowImport();
  const reset = useRef<() => void>(null);
  const choose = (file: File | null) => {
    // The input is reset, so that the same file can be chosen again.
    reset.current?.();
    void imports.open(file ?? undefined);
  };
  return (
    <>
      <FileButton accept="application/json,.json" resetRef={reset} onChange={choose}>
        {({ onClick }) => (
          <PermittedButton to="workflow:create">
            <ImportMenu isBusy={imports.isBusy} icon={icon} onFile={onClick} />
          </PermittedButton>
        )}
      </FileButton>
      <ImportPreview imports={imports} />
    </>
  );
}

/** `buttonProps`: those of a button that is not permitted. */
const ImportMenu = ({
  isBusy,
  icon,
  onFile,
  ...buttonProps
}: ButtonProps & { isBusy: boolean; icon: ReactNode; onFile(): void }) => (
  <Menu disabled={'data-disabled' in buttonProps}>
    <Menu.Target>
      <Button variant="default" leftSection={icon} loading={isBusy} {...buttonProps}>
        Import
      </Button>
    </Menu.Target>
    <Menu.Dropdown>
      <Menu.Item onClick={onFile}>From a file</Menu.Item>
      <Menu.Item component={AppLink} href="/workflows/import">
        From a running n8n, or many files
      </Menu.Item>
    </Menu.Dropdown>
  </Menu>
);
