import {type JsonObject} from '../util/json-text.ts';
import {type ProblemCode} from '../util/problem-codes.ts';
import {type CallOutcome} from './approval-event.ts';
import {type Origin} from './origin.ts';

/** A call whose connection was lost: it may have taken effect. Arguments are frozen and masked as on a card. */
export type UncertainCall = {
	readonly callId: string;
	readonly server: string;
	readonly tool: string;
	readonly registeredName: string;
	readonly arguments: JsonObject;
	readonly origin: Origin;
	/** When the call ended, milliseconds since the epoch. */
	readonly at: number;
	readonly reason: string;
};

/** What a person made of an uncertain call (docs/approvals.md, Uncertain calls). */
export type UncertainResolution = 'done' | 'not_done' | 'repeated';

/** The life of a tool call behind the approval check. */
export type CallEvent =
	| {
			readonly type: 'tool.started';
			readonly callId: string;
			readonly server: string;
			readonly tool: string;
			readonly registeredName: string;
			readonly origin: Origin;
	  }
	| {
			readonly type: 'tool.progress';
			readonly callId: string;
			readonly progress: number;
			readonly total?: number;
			readonly message?: string;
	  }
	| {
			readonly type: 'tool.finished';
			readonly callId: string;
			readonly server: string;
			readonly tool: string;
			readonly origin: Origin;
			readonly ms: number;
			readonly outcome: CallOutcome;
			readonly code?: ProblemCode;
			/** The beginning of the result or of the error, safe to show. */
			readonly summary?: string;
	  }
	| ({readonly type: 'call.uncertain'} & UncertainCall)
	| {
			readonly type: 'call.resolved';
			readonly callId: string;
			readonly resolution: UncertainResolution;
			readonly by?: string;
	  };
