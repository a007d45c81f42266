/** The answers of the service, under the names of the page: each file of it takes them from here. */
export type { CallsSelection } from '../../protocol/page/calls-selection.ts';
export type { CallRow, CallRowsResponse as RowsAnswer } from '../../protocol/page/call-row.ts';
export type { CallsStatsResponse as CallsStats, Facet, Histogram } from '../../protocol/page/calls-stats.ts';
export type { CallsDifferencesResponse as Differences, Difference } from '../../protocol/page/calls-differences.ts';
export type { ClientEntry as Client } from '../../protocol/page/client.ts';
export type { ProjectSummary as Project } from '../../protocol/page/project.ts';
export type { Run, RunsListResponse as RunList } from '../../protocol/page/run.ts';
export type { Session } from '../../protocol/page/session.ts';
export type { View } from '../../protocol/page/view.ts';
