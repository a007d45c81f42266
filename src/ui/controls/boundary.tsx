import { Component, type ReactNode } from 'react';
import { Failure } from './failure.tsx';

export interface BoundaryProps {
  /** The failure to tell when something in it fails: `This page could not be shown`. */
  readonly what: string;
  /** When it changes, what is inside is shown again: another page does not have the fault of the former. */
  readonly resetKey: string;
  readonly children: ReactNode;
}

interface State {
  readonly error: Error | undefined;
  readonly resetKey: string;
}

/** An error in one part of the page is told in its place; all around it stays. */
export class Boundary extends Component<BoundaryProps, State> {
  static getDerivedStateFromError(reason: unknown): Partial<State> {
    return { error: reason instanceof Error ? reason : new Error(String(reason)) };
  }

  static getDerivedStateFromProps({ resetKey }: BoundaryProps, was: State): State | null {
    return resetKey === was.resetKey ? null : { error: undefined, resetKey };
  }

  override state: State = { error: undefined, resetKey: this.props.resetKey };

  override render(): ReactNode {
    const { error } = this.state;
    if (error === undefined) return this.props.children;
    return <Failure what={this.props.what} error={error} onRetry={() => this.setState({ error: undefined })} />;
  }
}
