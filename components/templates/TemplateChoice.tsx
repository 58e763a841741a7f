import { Modal } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { useState } from 'react';
import type { TemplatePurpose } from '@/contract/workflows/template-purposes';
import { TemplateGallery } from './TemplateGallery';
import { TemplateSetUp } from './TemplateSetUp';

/** Asks for a template, unless `startId` names it, and then shows its set-up. The workflow opens when it is created. */
export function TemplateChoice({ startId, onClose }: { startId?: string; onClose(): void }) {
  const isNarrow = useMediaQuery('(max-width: 48em)');
  const [chosenId, setChosenId] = useState(startId);
  const [search, setSearch] = useState('');
  const [purpose, setPurpose] = useState<TemplatePurpose>();
  return (
    <Modal.Stack>
      <Modal
        opened
        stackId="template"
        onClose={onClose}
        title={chosenId ? 'Set up the template' : 'Start from a template'}
        size="min(1040px, 94vw)"
        fullScreen={isNarrow}
      >
        {chosenId ? (
          <TemplateSetUp key={chosenId} id={chosenId} onBack={() => setChosenId(undefined)} />
        ) : (
          <TemplateGallery
            search={search}
            purpose={purpose}
            onSearch={setSearch}
            onPurpose={setPurpose}
            onPick={setChosenId}
          />
        )}
      </Modal>
    </Modal.Stack>
  );
}
