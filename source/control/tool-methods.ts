import {z} from 'zod';
import {hookProgramNames} from '../config/programs/program-names.ts';
import {approvalScopes, type FullRequest} from '../state/approval-event.ts';
import {type NewServer, type ProposalAnswer} from '../state/person-answers.ts';
import {type ShownProposal} from '../state/view-event.ts';
import {approvalEndJson, answeredJson, fullApprovalJson} from './decision-wire.ts';
import {loginEndJson, loginReportJson, loginServerJson, revocationJson} from './login-wire.ts';
import {
	isRecord,
	type MethodDescriptions,
	nothing,
	part,
	requestVersion,
	rowId,
	typedId,
	viewJson,
} from './method-description.ts';
import {askedQuestionJson, questionAnswerJson, questionEndJson, questionJson} from './question-wire.ts';
import {jsonObject} from './entity-json.ts';
import {uncertainEndJson, uncertainJson} from './run-wire.ts';
import {approvalJson, callJson, installJson, ruleJson, ruleTestJson, serverJson, toolJson} from './wire.ts';

const server = z.object({server: z.string()});
const hookName = z.enum(hookProgramNames);
const flow = z.enum(['device', 'browser']).optional();
const storedRule = z.object({rule: z.string(), words: z.string()});
const choices = z.array(z.int().min(0).max(100)).max(100);

const newServer: z.ZodType<NewServer> = z.discriminatedUnion('kind', [
	z.object({kind: z.literal('stdio'), name: z.string(), command: z.string(), args: z.array(z.string())}),
	z.object({kind: z.literal('http'), name: z.string(), url: z.string()}),
]);

const proposalAnswer: z.ZodType<ProposalAnswer> = z.discriminatedUnion('kind', [
	z.object({kind: z.literal('confirm')}),
	z.object({kind: z.literal('rename'), name: z.string()}),
	z.object({kind: z.literal('cancel')}),
]);

const callNote = z.discriminatedUnion('type', [
	z.object({type: z.literal('approval.waiting'), id: z.string().optional()}),
	z.object({type: z.literal('hold.waiting')}),
]);

const shownProposal = z.custom<ShownProposal>(isRecord);
const counting = z.object({count: z.literal('tokens').optional()});
const ownServers = ['files', 'journal', 'servers'] as const;

/** Tool servers, their logins and their tools. */
export const serverMethods = {
	'mcp.list': {params: counting, result: z.array(serverJson), needs: 'read', opens: ownServers},
	'mcp.tools': {
		params: server.partial().extend(counting.shape),
		result: z.array(toolJson),
		needs: 'read',
		opens: ownServers,
	},
	'mcp.view': {params: server.extend({part}), result: viewJson('view.page'), needs: 'read'},
	'mcp.view-calls': {params: server, result: viewJson('view.server-calls'), needs: 'read'},
	'mcp.view-log': {params: server, result: viewJson('view.page'), needs: 'read'},
	'mcp.view-tools': {params: server.partial(), result: viewJson('view.tools'), needs: 'read'},
	'mcp.reconnect': {params: server, result: z.object({answer: z.enum(['reconnecting', 'unknown'])}), needs: 'act'},
	'mcp.enable': {params: server.extend({enabled: z.boolean()}), result: nothing, needs: 'act'},
	'mcp.add': {params: z.object({server: newServer}), result: nothing, needs: 'act'},
	'mcp.logins': {params: nothing, result: z.array(loginServerJson), needs: 'read', opens: ['files']},
	'mcp.login': {
		params: server.extend({flow, document: z.enum(['try-again', 'as-marked'])}),
		result: loginEndJson,
		notes: loginReportJson,
		needs: 'act',
		opens: ['files', 'port'],
		deadline: 'none',
	},
	'mcp.login.switch': {params: server.extend({flow}), result: loginEndJson, needs: 'act', deadline: 'none'},
	'mcp.login.cancel': {params: server, result: nothing, needs: 'act', opens: ['files']},
	'mcp.login.finish': {
		params: server.extend({redirect_url: z.string()}),
		result: nothing,
		needs: 'act',
		opens: ['files'],
	},
	'mcp.logout': {
		params: server,
		result: z.object({revocation: revocationJson}),
		needs: 'act',
		opens: ['files'],
		deadline: 'none',
	},
	'mcp.call': {
		params: z.object({name: z.string(), arguments: jsonObject, approve: z.boolean()}),
		result: callJson,
		notes: callNote,
		needs: 'act',
		opens: ownServers,
		deadline: 'none',
	},
	'mcp.serve': {params: z.object({client: z.string().optional()}), result: nothing, needs: 'act', opens: ownServers},
	'mcp.install': {params: z.object({link: z.string()}), result: installJson, needs: 'act', deadline: 'none'},
	'proposals.answer': {
		params: z.object({id: rowId, request_version: requestVersion, answer: proposalAnswer}),
		result: nothing,
		needs: 'allow',
		caller: 'console',
	},
} satisfies Partial<MethodDescriptions>;

/** Methods for approvals, and for the rules that make them unnecessary. */
export const approvalMethods = {
	'hooks.decide': {
		params: z.object({
			program: hookName,
			via: hookName,
			waits: z.enum(['person', 'at-once']),
			mode: z.enum(['asks', 'never-asks']),
			tool: z.string().min(1).max(1000),
			input: jsonObject,
			cwd: z.string().optional(),
			session: z.string().max(1000).optional(),
			tool_use_id: z.string().max(1000).optional(),
		}),
		result: z.object({
			decision: z.enum(['allow', 'deny', 'undecided', 'nothing']),
			message: z.string().nullable(),
		}),
		needs: 'act',
		deadline: 'none',
	},
	'approvals.list': {params: nothing, result: z.array(approvalJson), needs: 'read'},
	'approvals.deny': {
		params: typedId.extend({message: z.string().optional(), request_version: requestVersion}),
		result: answeredJson,
		needs: 'act',
	},
	'approvals.show': {
		params: typedId,
		result: z.object({request: fullApprovalJson.nullable(), end: approvalEndJson.nullable()}),
		needs: 'read',
	},
	'approvals.view': {
		params: z.object({id: rowId, masks: z.enum(['on', 'off'])}),
		result: z.custom<FullRequest>(isRecord).nullable(),
		needs: 'read',
		caller: 'console',
	},
	'approvals.allow': {
		params: typedId.extend({
			scope: z.enum(approvalScopes),
			arguments_hash: z.string(),
			request_version: requestVersion,
		}),
		result: answeredJson,
		needs: 'allow',
		deadline: 'none',
	},
	'questions.list': {params: nothing, result: z.array(questionJson), needs: 'read'},
	'questions.show': {
		params: typedId,
		result: z.object({question: askedQuestionJson.nullable(), end: questionEndJson}),
		needs: 'read',
	},
	'questions.answer': {
		params: typedId.extend({answer: questionAnswerJson, request_version: requestVersion}),
		result: z.object({
			answer: z.enum(['resolved', 'already-settled', 'unfit']),
			problem: z.string().nullable(),
			end: questionEndJson,
		}),
		needs: 'act',
	},
	'rules.list': {params: nothing, result: z.array(ruleJson), needs: 'read', opens: ['files', 'journal']},
	'rules.view': {params: nothing, result: viewJson('view.rules'), needs: 'read'},
	'askers.view': {params: nothing, result: viewJson('view.askers'), needs: 'read'},
	'rules.test': {
		params: z.object({server: z.string(), tool: z.string(), arguments: jsonObject}),
		result: ruleTestJson,
		needs: 'read',
		opens: ['files'],
	},
	'rules.add': {
		params: z.object({rule: jsonObject, mode: z.enum(['check', 'store'])}),
		result: z.object({id: z.string(), answer: z.enum(['added', 'known', 'new'])}),
		needs: 'act',
		opens: ['files'],
	},
	'rules.revoke': {
		params: typedId,
		result: z.object({answer: z.enum(['revoked', 'unknown', 'failed', 'configured'])}),
		needs: 'act',
		opens: ['files'],
	},
	'rules.propose': {
		params: z.object({id: rowId, from: z.literal('call').optional(), choices}),
		result: shownProposal,
		notes: shownProposal,
		needs: 'act',
		caller: 'console',
		deadline: 'none',
	},
	'rules.store': {
		params: z.object({
			id: rowId,
			request_version: requestVersion,
			arguments_hash: z.string(),
			choices,
			rule_hash: z.string(),
		}),
		result: storedRule,
		needs: 'allow',
		caller: 'console',
	},
	'rules.store-proposed': {
		params: z.object({id: rowId, choices, rule_hash: z.string()}),
		result: storedRule,
		needs: 'act',
		caller: 'console',
	},
	'rules.rehearse': {
		params: z.object({without: rowId.optional()}),
		result: nothing,
		notes: viewJson('view.rehearsal'),
		needs: 'read',
		deadline: 'none',
	},
	'uncertain.list': {params: nothing, result: z.array(uncertainJson), needs: 'read', opens: ['files', 'journal']},
	'uncertain.show': {
		params: typedId,
		result: z.object({call: uncertainJson.nullable(), end: uncertainEndJson}),
		needs: 'read',
	},
	'uncertain.resolve': {
		params: typedId.extend({resolution: z.enum(['done', 'not_done']), request_version: requestVersion}),
		result: z.object({answer: z.enum(['resolved', 'already-settled']), end: uncertainEndJson}),
		needs: 'act',
	},
	'uncertain.repeat': {
		params: typedId.extend({arguments_hash: z.string().optional(), request_version: requestVersion}),
		result: z.object({
			answer: z.enum(['resolved', 'already-settled', 'changed']),
			call: callJson.nullable(),
			end: uncertainEndJson,
		}),
		needs: 'allow',
		deadline: 'none',
	},
} satisfies Partial<MethodDescriptions>;
