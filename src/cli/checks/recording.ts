import { readConfig } from '../../client/config.ts';
import type { Environment } from '../../client/variables.ts';
import type { Finding } from './finding.ts';

export interface RecordingCheck {
  readonly findings: readonly Finding[];
  /** Limit of all records on disk together. */
  readonly spoolBytes: number;
}

/** The recording of a program that gets this environment and sets nothing itself. */
export function checkRecording(environment: Environment): RecordingCheck {
  const mistakes: string[] = [];
  const { isEnabled, sample, spoolBytes } = readConfig({}, environment, (mistake) => mistakes.push(mistake));
  const wrong: Finding[] = mistakes.map((mistake) => ({
    level: 'warning',
    about: 'recording',
    message: `${mistake}; the default is used`,
    advice: 'Correct that variable, or unset it',
  }));
  return { findings: [...wrong, isEnabled ? describeSample(sample) : SWITCHED_OFF], spoolBytes };
}

const SWITCHED_OFF: Finding = {
  level: 'warning',
  about: 'recording',
  message: 'SPOOR_DISABLED is set: programs with this environment record nothing',
  advice: 'Unset SPOOR_DISABLED',
};

function describeSample(sample: unknown): Finding {
  const about = 'recording';
  if (sample === 1) return { level: 'ok', about, message: 'every call' };
  if (sample !== 0) return { level: 'ok', about, message: `what SPOOR_SAMPLE=${String(sample)} lets through` };
  const message = 'SPOOR_SAMPLE is 0: programs with this environment begin no trace';
  return { level: 'warning', about, message, advice: 'Unset SPOOR_SAMPLE, or set it to a share above 0' };
}
