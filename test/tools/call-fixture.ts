import {createApprovalQueue} from '../../source/approvals/approval-queue.ts';
import {createWaitingTime} from '../../source/approvals/waiting-time.ts';
import {createRememberedRules, type ApprovalRules, type RuleStore} from '../../source/approvals/remembered-rules.ts';
import {type Rule} from '../../source/approvals/rule.ts';
import {createRulePins} from '../../source/approvals/rule-pins.ts';
import {type ServerConfig} from '../../source/config/servers/server-entry.ts';
import {type CallRecord, type DecisionRecord, type Journal} from '../../source/journal/journal.ts';
import {type CallContent, type Connection, type ServerRequest} from '../../source/mcp/connection.ts';
import {type Verdict} from '../../source/state/person-answers.ts';
import {type CallConnection} from '../../source/tools/validate-call.ts';
import {type CallToolOptions, createCallTool, type ToolOutcome} from '../../source/tools/call-tool.ts';
import {createRunningCalls} from '../../source/tools/running-calls.ts';
import {createCallBuiltIn} from '../../source/tools/call-built-in.ts';
import {createDecideHook} from '../../source/tools/decide-hook.ts';
import {createCatalogue} from '../../source/tools/catalogue.ts';
import {createServerNotices} from '../../source/tools/server-notices.ts';
import {createRedactor} from '../../source/util/redact.ts';
import {type JsonValue} from '../../source/util/json-text.ts';
import {type EndpointTools} from '../../source/tools/endpoint/endpoint-tools.ts';
import {type Clock, systemClock} from '../../source/util/clock.ts';
import {createFakeClock} from '../helpers/fake-clock.ts';
import {neverHeld} from '../helpers/open-hold.ts';
import {neverAborted} from '../helpers/never-aborted.ts';
import {recordEvents} from '../helpers/record-events.ts';
import {definition, offerOf, serverConfig} from './server-offers.ts';

type Respond = Connection['request'];

/** The answer of a tool that has done what it was asked. */
export const done: CallContent = {content: [{type: 'text', text: 'done'}], isError: false};

const noRules: readonly Rule[] = [];

/** A journal that keeps everything in the order it was told. */
function createMemoryJournal(order: string[]) {
	const calls: CallRecord[] = [];
	const ends: Array<Parameters<Journal['finishCall']>> = [];
	const decisions: DecisionRecord[] = [];
	const refused: Array<Parameters<Journal['recordCall']>> = [];
	const journal: Pick<Journal, 'startCall' | 'finishCall' | 'recordCall' | 'recordDecision'> = {
		async startCall(call) {
			await Promise.resolve();
			calls.push(call);
			order.push('journal knows');
		},
		finishCall(...end) {
			ends.push(end);
			order.push('journal closes');
		},
		recordCall(call, end) {
			// A refused call says nothing of its tool; that of a read-only tool, once it has ended, is one row.
			if (call.readOnly) {
				calls.push(call);
				ends.push([call.id, end]);
				order.push('journal has the row');
			} else {
				refused.push([call, end]);
			}
		},
		recordDecision: decision => void decisions.push(decision),
	};
	return {journal, calls, ends, decisions, refused};
}

/** Catalogue, queue, rules and `callTool` of one profile, with one server whose answers a test chooses. */
export function openCallFixture(
	options: {
		readonly config?: Partial<ServerConfig>;
		readonly respond?: Respond;
		readonly ruleList?: () => readonly Rule[];
	} & Partial<CallToolOptions> = {},
) {
	const {config: members, respond = async () => done, ruleList = () => noRules, ...replaced} = options;
	const order: string[] = [];
	const clock = createFakeClock();
	const {publish, ofType} = recordEvents();
	const config = serverConfig(members);
	const catalogue = createCatalogue(() => [config.name]);
	catalogue.register(config, {
		...offerOf('write'),
		tools: [definition('write'), definition('read', {annotations: {readOnlyHint: true}})],
		resources: true,
	});
	const notices = createServerNotices();
	let rulesFile: ApprovalRules = {rules: []};
	const store: {read: RuleStore['read']; update: RuleStore['update']} = {
		read: () => rulesFile,
		update: async change => void (rulesFile = change(rulesFile)),
	};
	const rules = createRememberedRules({clock, publish, store});
	const time = createWaitingTime(clock);
	const approvals = createApprovalQueue({clock, time, publish, settings: {timeoutSeconds: 300, unattended: 'deny'}});
	const closeConsole = approvals.addConsole();
	const requests: ServerRequest[] = [];
	const connections = new Map<string, CallConnection>([
		[
			config.name,
			{
				config,
				request(request, options) {
					requests.push(request);
					order.push('server is asked');
					return respond(request, options);
				},
			},
		],
	]);
	const memory = createMemoryJournal(order);
	const callOptions: CallToolOptions = {
		clock,
		publish,
		profile: 'default',
		running: createRunningCalls(clock),
		findTool: catalogue.find,
		findConnection: name => connections.get(name),
		ask: approvals.ask,
		rules,
		hold: neverHeld,
		ruleState: () => ({kind: 'valid', rules: ruleList()}),
		pins: createRulePins({clock, store, warn: text => publish({type: 'log', level: 'warning', area: 'rules', text})}),
		listTools: catalogue.list,
		journal: memory.journal,
		saveMedia: () => Promise.resolve('/media/file'),
		addressOf: () => 'files-server',
		partsOf: createRedactor().partsOf,
		...replaced,
	};
	const callTool = createCallTool(callOptions);

	/** Calls a tool of the server. */
	const call = (tool: string, args: JsonValue = {}, signal = neverAborted()): Promise<ToolOutcome> =>
		callTool({name: `mcp__files__${tool}`, arguments: args, origin: {kind: 'command-line'}}, {signal});

	/** Answers the oldest pending approval, once it is there. */
	const answer = async (verdict: Verdict) => {
		await clock.settle();
		const card = approvals.pending()[0];
		return approvals.answer({id: card?.id ?? '', argumentsHash: card?.argumentsHash ?? '', verdict, by: 'console:1'});
	};

	return {
		answer,
		call,
		callTool,
		callBuiltIn: createCallBuiltIn(callOptions),
		decideHook: createDecideHook(callOptions),
		catalogue,
		clock,
		closeConsole,
		config,
		connections,
		notices,
		approvals,
		ofType,
		order,
		requests,
		rules,
		store,
		time,
		...memory,
	};
}

/** The tools of a call fixture as the endpoint offers them. */
export function toolsOf(callOptions: ReturnType<typeof openCallFixture>, clock: Clock = systemClock): EndpointTools {
	return {
		...callOptions.catalogue,
		callTool: callOptions.callTool,
		notices: callOptions.notices,
		ready: () => Promise.resolve(),
		redact: text => text.replaceAll('hunter2', '***'),
		clock,
		time: createWaitingTime(clock),
		caller: {name: 'default'},
		elicitation: 'at-a-console',
		version: '1.2.3',
	};
}
