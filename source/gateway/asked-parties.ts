import {type Desk} from '../approvals/desk.ts';
import {type QuestionDesk} from '../approvals/question-desk.ts';
import {type RememberedRules} from '../approvals/remembered-rules.ts';
import {type Journal} from '../journal/journal.ts';
import {type Complete} from '../mcp/completion.ts';
import {createSamplingGate} from '../mcp/sampling-gate.ts';
import {type AskedParties} from '../mcp/server-answerers.ts';
import {randomId} from '../util/random-id.ts';
import {type Foundation} from './foundation.ts';

/** Whom the tool servers of a profile may ask: the person at the question desk, and the configured model behind its gate. */
export function askedParties(
	{clock, paths}: Pick<Foundation, 'clock' | 'paths'>,
	parts: {
		readonly questions: Pick<QuestionDesk, 'ask'>;
		readonly desk: Pick<Desk, 'ask'>;
		readonly rules: RememberedRules;
		readonly journal: Pick<Journal, 'recordDecision'>;
		readonly complete: () => Complete | undefined;
	},
): AskedParties {
	const {questions, desk, rules, journal, complete} = parts;
	return {
		askPerson: questions.ask,
		complete,
		samplingGate: createSamplingGate({
			ask: desk.ask,
			rules,
			recordDecision({server, tool, argumentsHash}, {kind: outcome, ...rest}) {
				const {profile} = paths;
				journal.recordDecision({
					id: randomId(),
					time: clock.now(),
					profile,
					server,
					tool,
					argumentsHash,
					outcome,
					...rest,
				});
			},
		}),
	};
}
