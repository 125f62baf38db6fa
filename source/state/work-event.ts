import {type CallEvent} from './call-event.ts';
import {type CronEvent} from './cron-event.ts';
import {type RunEvent} from './run-event.ts';

/** Work that takes a while: calls, runs, jobs. */
export type WorkEvent = CallEvent | CronEvent | RunEvent;
