import {type CallOutcome} from './approval-event.ts';

export type RunStatus = 'queued' | 'running' | 'inbox' | 'finished' | 'failed' | 'cancelled' | 'interrupted';

/** What a model was asked for and what it said, in tokens. */
export type TokenUsage = {readonly inputTokens: number; readonly outputTokens: number};

/** One tool call of a run as its detail view shows it. Texts are safe to show. */
export type RunStep = {
	/** The model's own number of the call; unique within the run. */
	readonly id: string;
	readonly tool: string;
	/** The arguments in one line, masked. */
	readonly arguments: string;
	readonly state: 'waiting' | 'running' | 'done';
	readonly outcome?: CallOutcome;
	readonly summary?: string;
};

/** The life of a run. */
export type RunEvent =
	| {
			readonly type: 'run.state';
			readonly runId: string;
			readonly state: RunStatus;
			readonly route?: string;
			readonly job?: string;
			readonly event?: string;
			readonly deliveryId?: string;
			readonly reason?: string;
			/** The rendered prompt, safe to show; only on the first event of a run. */
			readonly prompt?: string;
			readonly startedAt?: number;
			readonly model?: string;
			readonly usage?: TokenUsage;
			/** What a running run waits for. */
			readonly waitingFor?: 'approval' | 'answer';
			/** The run this one goes on with. */
			readonly conversation?: string;
			/** Names of the tools it may call, for an inbox item. */
			readonly allowedTools?: readonly string[];
			/** Where its answer goes. */
			readonly deliver?: string;
			/** The final answer, safe to show. */
			readonly answer?: string;
	  }
	/** More of what the model says; a bounded piece, a few times a second at most. */
	| {readonly type: 'run.text'; readonly runId: string; readonly text: string}
	| {readonly type: 'run.step'; readonly runId: string; readonly step: RunStep};
