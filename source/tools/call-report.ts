import {type DecisionRecord, type Journal} from '../journal/journal.ts';
import {type Publish} from '../state/event.ts';
import {type Clock} from '../util/clock.ts';
import {errorText} from '../util/problem.ts';
import {safeText} from '../util/safe-text.ts';
import {type ValidatedCall} from './validate-call.ts';
import {type FinishedCall, finishedEvent} from './finished-event.ts';
import {type Authorization} from './authorize-call.ts';

/** Tells the event bus and the journal about calls. */
export type CallReport = {
	/** Keeps what the approval check said, unless nobody needed to be asked. */
	readonly decided: (id: string, call: ValidatedCall, verdict: Authorization) => void;
	/** Every call ends here, refused ones too. */
	readonly finished: (call: FinishedCall) => void;
	/** Logs an error that nobody foresaw. */
	readonly broke: (caught: unknown) => void;
};

export type CallReportOptions = {
	readonly clock: Clock;
	readonly publish: Publish;
	readonly profile: string;
	readonly journal: Pick<Journal, 'recordDecision'>;
};

/** What a decision says, whoever made it. */
type Decision = Pick<DecisionRecord, 'outcome' | 'scope' | 'by' | 'message'>;

/** Builds the report of one profile. */
export function createCallReport(options: CallReportOptions): CallReport {
	const {clock, publish, profile, journal} = options;

	const record = (id: string, {tool, argumentsHash}: ValidatedCall, decision: Decision) =>
		journal.recordDecision({
			id,
			time: clock.now(),
			profile,
			server: tool.server,
			tool: tool.tool,
			argumentsHash: argumentsHash(),
			...decision,
		});

	return {
		decided(id, call, verdict) {
			switch (verdict.kind) {
				case 'free':
					break;
				case 'remembered': {
					const decision = {outcome: 'approved', scope: verdict.scope, by: 'remembered rule'} as const;
					record(id, call, decision);
					publish({
						type: 'approval.settled',
						id,
						server: call.tool.server,
						tool: safeText(call.tool.tool, {maximumCharacters: 200}),
						...decision,
					});
					break;
				}

				case 'asked': {
					const {kind: outcome, ...rest} = verdict.outcome;
					record(id, call, {outcome, ...rest});
				}
			}
		},
		finished: call => publish(finishedEvent(call)),
		broke(caught) {
			const text = `A tool call broke: ${safeText(errorText(caught))}`;
			publish({type: 'log', level: 'error', area: 'tools', text});
		},
	};
}
