import {type GatewayEventBody} from '../../source/state/event.ts';
import {asked, askers} from './sample-askers.ts';
import {
	approval,
	call,
	failing,
	finished,
	held,
	job,
	log,
	login,
	proposal,
	question,
	route,
	rule,
	rules,
	run,
	sampleTime,
	server,
	settled,
	started,
	tool,
	tools,
	traced,
	uncertain,
	webhook,
} from './sample-events.ts';
import {rehearsal, unfinished} from './sample-rehearsal.ts';

/** A gateway in which something of every kind needs a person. */
const base: readonly GatewayEventBody[] = [
	started({webhookUrl: 'http://127.0.0.1:8644'}),
	server('github', {
		state: 'needs-login',
		transport: 'http',
		reason: 'it wants a login',
		nextActions: [{kind: 'login', server: 'github'}],
	}),
	server('files', {
		state: 'failed',
		reason: 'the process exited with code 1: Error: Cannot find module /srv/tools/server.js',
		nextActions: [
			{kind: 'text', text: 'Look at its stderr in the log file'},
			{kind: 'reconnect', server: 'files'},
		],
		stderr: ['Error: Cannot find module'],
	}),
	server('slow', {state: 'waiting', reason: 'it did not answer', nextActions: [{kind: 'try-now', server: 'slow'}]}),
	server('idle', {state: 'stopped', nextActions: [{kind: 'reconnect', server: 'idle'}]}),
	server('spare', {
		state: 'disabled',
		reason: 'disabled in config.yaml',
		nextActions: [{kind: 'enable', server: 'spare'}],
	}),
];

const inbox = run('r1', {
	state: 'inbox',
	reason: 'no model is configured',
	prompt: 'Triage the issue '.repeat(6),
	deliver: 'telegram',
});
const device = login('github', {verificationUriComplete: 'https://auth.example.com/device?user_code=WDJB-MJHT'});
const browser: GatewayEventBody = {
	type: 'login.state',
	server: 'github',
	flow: 'browser',
	state: 'awaiting-redirect',
	expiresAt: sampleTime + 900_000,
	authorizationUrl: `https://auth.example.com/authorize?response_type=code&client_id=abcdefgh&state=${'x'.repeat(60)}`,
	redirectUri: 'http://127.0.0.1:7777/callback',
	tunnelCommand: 'ssh -N -L 7777:127.0.0.1:7777 me@host',
};
const fields = [
	{name: 'repo', title: 'Repository', description: 'owner and name', need: 'required', kind: 'text'},
	{name: 'sure', title: 'Sure?', description: '', need: 'optional', kind: 'boolean'},
] as const;
const message = 'Which repository should I use for this, and which branch of it is the right one?';
const failingJob = failing('', {route: '', job: 'job-1'});
const failingRoute = [route('push', {deliver: 'telegram'}), failing('push')];
const unread = approval('12345678', {arguments: {repo: 'acme/app', body: 'long text '.repeat(60)}});
const askedRun = run('r1', {state: 'running', prompt: 'Triage', waitingFor: 'approval'});
const runAsks = approval('12345678', {origin: {kind: 'run', runId: 'r1', route: 'push', deliveryId: 'd1'}});

const ruleList = {
	...rules(rule('rule-1')),
	problem: {reason: 'config.yaml:4:7: unknown key tol', inForce: 'former-rules'},
} as const;

const proposedRule: GatewayEventBody = {
	type: 'view.rule-proposal',
	id: '12345678',
	arguments: [{name: 'repo', choices: ['is acme/app', 'may be anything'], chosen: 0}],
	outcome: {kind: 'rule', words: 'allows github/create_issue when repo is acme/app', hash: 'h'},
};

const callRule = {...proposedRule, id: 'call of codex'};

const tracedRun = traced({kind: 'run', id: 'r1'}, {kind: 'run', runId: 'r1'});
const tracedEvent = {
	...traced({kind: 'event', id: 'e1'}, {kind: 'event', eventId: 'e1'}),
	event: {id: 'e1', route: 'push', event: 'push'},
};

/** A screen of the dashboard: what happened, and the keys that open it. */
export type SampleScreen = readonly [name: string, events: readonly GatewayEventBody[], keys: readonly string[]];

/** Every view, text and form of the dashboard. */
export const everyScreen: readonly SampleScreen[] = [
	['nothing configured', [], []],
	['servers', base, []],
	['servers while everything is held', [...base, held()], []],
	['a release', [...base, held()], ['H']],
	['a server that needs a login', base, ['\r']],
	['a failed server', base, ['j', '\r']],
	['a server that is tried again', base, ['j', 'j', '\r']],
	['a stopped server', base, ['j', 'j', 'j', '\r']],
	['a disabled server', base, ['j', 'j', 'j', 'j', '\r']],
	['before a login', base, ['L']],
	['a login with a code', [...base, device], ['L']],
	['a login with a browser', [...base, browser], ['L']],
	['the logins', [...base, device], ['W', 'L']],
	['an approval', [...base, approval('12345678', {arguments: {repo: 'acme/app'}})], ['A']],
	['an approval to read', [...base, unread], ['A']],
	['all of an approval', [...base, unread], ['A', 'v']],
	['a proposed rule', [...base, approval('12345678', {arguments: {repo: 'acme/app'}}), proposedRule], ['A', 'p']],
	['who asks', [...base, askers(asked('codex'), asked('stripe'))], ['B']],
	['what is asked for', [...base, askers(asked('codex'))], ['B', 't']],
	['a rule from a recorded call', [...base, askers(asked('codex')), callRule], ['B', 'p']],
	['the approvals', [...base, approval('12345678'), question('q'), proposal('p'), settled('9')], ['2']],
	['a question', [...base, question('q', {message})], ['A']],
	['an elicitation form', [...base, question('q', {message, fields})], ['A']],
	['a choice in a form', [...base, question('q', {message, fields})], ['A', '\t']],
	['the end of a form', [...base, question('q', {message, fields: []})], ['A']],
	['after a form', [...base, question('q', {message, fields: []})], ['A', '\u001B']],
	['a proposal', [...base, proposal('p', {warnings: ['it was proposed by a webhook']})], ['A']],
	['the uncertain calls', [...base, uncertain('call-1')], ['2']],
	['an uncertain call', [...base, uncertain('call-1')], ['2', '\r']],
	['the inbox', [...base, inbox], ['4']],
	['an inbox item', [...base, inbox, tracedRun], ['4', '\r', '\r']],
	['a run that waits', [...base, askedRun, runAsks, tracedRun], ['4', '\r', '\r']],
	['the trace of a run', [...base, inbox, tracedRun], ['4', '\r']],
	['no runs', base, ['4']],
	['the failing routes', [...base, ...failingRoute], ['6']],
	['a failing route', [...base, ...failingRoute], ['6', '\r']],
	['the failing jobs', [...base, job('1'), failingJob], ['5']],
	['a failing job', [...base, job('1'), failingJob], ['5', '\r']],
	['the failing platforms', [...base, failing('push')], ['P']],
	['a failing platform', [...base, failing('push')], ['P', '\r']],
	['the events', [...base, webhook('push'), finished('c')], ['3']],
	['the trace of an event', [...base, webhook('push'), tracedEvent], ['3', '\r']],
	['the log', [...base, log('hello')], ['W']],
	['the calls', [...base, call('c')], ['7']],
	['a call', [...base, call('c')], ['7', '\r']],
	['the tools', [...base, tools(tool('find'))], ['t']],
	['a tool', [...base, tools(tool('find'))], ['t', '\r']],
	['no rules', base, ['R']],
	['the rules', [...base, ruleList], ['R']],
	['a rule', [...base, ruleList], ['R', 'j', '\r']],
	['a rehearsal that begins', base, ['R', 't']],
	['a rehearsal that runs', [...base, unfinished({state: 'running', calls: 1000})], ['R', 't']],
	['a rehearsal', [...base, rehearsal()], ['R', 't']],
	['the figures of a rehearsal', [...base, rehearsal()], ['R', 't', '\r']],
	['a call of a rehearsal', [...base, rehearsal()], ['R', 't', 'j', 'j', 'j', '\r']],
	['a command', base, [':', 're']],
	['an empty command', base, [':']],
];
