import {type AskCaller} from '../../source/approvals/ask-caller.ts';
import {createWaitingTime} from '../../source/approvals/waiting-time.ts';
import {type HoldCheck} from '../../source/approvals/hold.ts';
import {createQuestionQueue} from '../../source/approvals/question-queue.ts';
import {type ServerConfig} from '../../source/config/servers/server-entry.ts';
import {type Complete} from '../../source/mcp/server-requests/sampling-request.ts';
import {type SamplingApproval} from '../../source/mcp/server-requests/sampling-approval.ts';
import {type QuestionAnswer} from '../../source/state/person-answers.ts';
import {type Origin} from '../../source/state/origin.ts';
import {type QuestionDetails} from '../../source/state/person-event.ts';
import {systemClock} from '../../source/util/clock.ts';
import {type JsonObject, parseJson} from '../../source/util/json-text.ts';
import {neverHeld} from '../helpers/open-hold.ts';
import {neverAborted} from '../helpers/never-aborted.ts';
import {recordEvents} from '../helpers/record-events.ts';
import {openConnections, serverConfig, stdioFixture} from './fixture-servers.ts';

export type Era = 'legacy' | 'stateless';

/** A server that asks back, and a person who answers each question at once as `reply` says. */
export async function openAsking(
	era: Era,
	options: {
		readonly config?: Partial<ServerConfig>;
		readonly reply?: (card: QuestionDetails) => QuestionAnswer | 'nothing';
		readonly console?: boolean;
		readonly complete?: Complete;
		readonly approveSampling?: SamplingApproval;
		readonly hold?: HoldCheck;
		/** Where the calls come from that let the server ask. */
		readonly origin?: Origin;
		/** The program that calls, where servers may ask it. */
		readonly askCaller?: AskCaller;
	} = {},
) {
	const {origin = {kind: 'command-line'}} = options;
	const told = recordEvents();
	const cards: QuestionDetails[] = [];
	const approvals = createQuestionQueue({
		clock: systemClock,
		time: createWaitingTime(systemClock),
		hasConsole: () => options.console ?? true,
		publish(event) {
			told.publish(event);
			if (event.type === 'question.asked') {
				cards.push(event);
				const answer = options.reply?.(event) ?? {kind: 'cancel'};
				if (answer !== 'nothing') {
					approvals.answer({id: event.id, answer, by: 'console:1'});
				}
			}
		},
	});
	const config = serverConfig(stdioFixture('mcp-asking.ts', era), {
		protocol: era === 'legacy' ? 'legacy' : 'stateless',
		elicitation: {timeoutSeconds: 10, pages: 'declined'},
		...options.config,
	});
	const opened = openConnections([config], {
		asked: {
			askPerson: approvals.ask,
			pageFinished: approvals.finish,
			hold: options.hold ?? neverHeld,
			complete: () => options.complete,
			approveSampling: options.approveSampling ?? (async () => ({kind: 'approved', scope: 'once', by: 'test'})),
		},
	});
	await opened.connections.settled(neverAborted());

	/** Calls a tool; its result is what the server got to hear, or the error of the call. */
	const call = async (tool: string, args: JsonObject = {}): Promise<unknown> => {
		const answer = await opened.connections
			.find('fixture')
			?.request(
				{kind: 'tool', tool, arguments: args, readOnly: false},
				{signal: neverAborted(), origin, ...(options.askCaller && {askCaller: options.askCaller})},
			);
		const text = answer?.content[0]?.['text'];
		return parseJson(typeof text === 'string' ? text : '');
	};

	return {
		...opened,
		told,
		cards,
		call,
		/** Lets the server ask with a form. */
		askForm: (requestedSchema: JsonObject, members: JsonObject = {}) =>
			call('ask', {
				method: 'elicitation/create',
				params: {message: 'Please', mode: 'form', requestedSchema, ...members},
			}),
		/** Lets the server ask the model. */
		askModel: (params: JsonObject) =>
			call('ask', {
				method: 'sampling/createMessage',
				params: {messages: [{role: 'user', content: {type: 'text', text: 'Hello'}}], maxTokens: 100, ...params},
			}),
		/** The log lines about the server. */
		warnings: () => opened.recorded.ofType('log').map(({text}) => text),
	};
}
