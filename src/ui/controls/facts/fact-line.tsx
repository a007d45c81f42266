import type { ReactElement, ReactNode } from 'react';
import classes from './facts.module.css';
import { MoreFacts } from './more-facts.tsx';
import { useFitting } from './use-fitting.ts';

export interface LineFact {
  readonly name: string;
  readonly content: ReactNode;
  /** It stands at the end of the line, away from the others. */
  readonly isAtEnd?: boolean;
}

export interface FactLineProps {
  /** Those that matter most first: the last ones go first where there is no room. */
  readonly facts: readonly LineFact[];
  readonly className?: string | undefined;
}

/** Facts of a head, each whole: those that have no room in the line stand behind `⋯`. */
export function FactLine({ facts, className }: FactLineProps): ReactElement {
  const { ref, style, count } = useFitting(facts.map(({ name }) => name));
  const rest = facts.slice(count);
  return (
    <div ref={ref} className={[classes.line, className].filter(Boolean).join(' ')} style={style}>
      {facts.map(({ name, content, isAtEnd = false }, index) => (
        <span
          key={name}
          data-fact={name}
          className={[classes.fact, isAtEnd && classes.end, index >= count && classes.hidden].filter(Boolean).join(' ')}
        >
          {content}
        </span>
      ))}
      {rest.length > 0 && (
        <MoreFacts>
          <ul data-first tabIndex={-1}>
            {rest.map(({ name, content }) => (
              <li key={name}>{content}</li>
            ))}
          </ul>
        </MoreFacts>
      )}
    </div>
  );
}
