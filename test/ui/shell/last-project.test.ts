import { afterEach, expect, test } from 'vitest';
import type { Project } from '../../../src/ui/data/answers.ts';
import { lastProject } from '../../../src/ui/shell/last-project.ts';
import { remember } from '../../../src/ui/shell/remembered.ts';

const PROJECTS = ['ours/newest', 'ours/shop'].map((id) => ({ project_id: id }) as Project);

afterEach(() => remember('project', ''));

test('the project that was seen last is shown, if it is there, else the one with the newest call', () => {
  expect(lastProject(PROJECTS)).toBe('ours/newest');
  remember('project', 'ours/shop');
  expect(lastProject(PROJECTS)).toBe('ours/shop');
  remember('project', 'ours/deleted');
  expect(lastProject(PROJECTS)).toBe('ours/newest');
  expect(lastProject([])).toBeUndefined();
});
