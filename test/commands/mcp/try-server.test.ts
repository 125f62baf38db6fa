import {expect, test} from 'vitest';
import {tryServer} from '../../../source/commands/mcp/try-server.ts';
import {type ProbeReport} from '../../../source/gateway/probe-server.ts';
import {createFakeClock} from '../../helpers/fake-clock.ts';
import {neverAborted} from '../../helpers/never-aborted.ts';

const report: ProbeReport = {state: 'connected', transport: 'stdio', address: 'npx', tools: []};

/** Tries a server that gets no variables of Sluice and answers so after a while; its stderr is what the person reads. */
function tryOne(answer: ProbeReport, names: readonly string[]) {
	const clock = createFakeClock();
	let stderr = '';
	const waited = Promise.withResolvers<ProbeReport>();
	const tried = tryServer(
		{clock, flags: {yes: true}, signal: neverAborted(), stderr: text => void (stderr += text)},
		{
			server: {name: 'files', entry: {command: 'npx'}, variables: {}},
			dialog: undefined,
			probe: () => waited.promise,
			withheld: async () => names,
			logins: {usualFlow: 'device', variables: {}, open: () => Promise.reject(new Error('It has no login'))},
		},
	);
	return {
		clock,
		stderr: () => stderr,
		async end() {
			waited.resolve(answer);
			await tried;
			return stderr;
		},
	};
}

test('a server that does not answer for 10 s: the variables that it does not get are named, with the flags that pass them', async () => {
	const trial = tryOne(report, ['NODE_EXTRA_CA_CERTS', 'HTTPS_PROXY']);
	await trial.clock.advance(9_999);
	expect(trial.stderr()).toBe('Connecting to files …\n');
	await trial.clock.advance(1);
	expect(await trial.end()).toMatch(
		/Waiting for files … .*\nIt does not get NODE_EXTRA_CA_CERTS, HTTPS_PROXY from Sluice; if it needs that, add it with --pass-env NODE_EXTRA_CA_CERTS --pass-env HTTPS_PROXY\n/u,
	);
});

test('a slow server that lacks no variable is only waited for', async () => {
	const trial = tryOne(report, []);
	await trial.clock.advance(10_000);
	expect(await trial.end()).toMatch(/^Connecting to files …\nWaiting for files … Ctrl-C ends it\.\nfiles answers/u);
});

test('a server that did not answer in time is first advised to be added with those variables', async () => {
	const failed: ProbeReport = {
		...report,
		state: 'failed',
		reason: 'The server did not answer within 60 s',
		nextActions: [
			{kind: 'pass-env', names: ['NODE_EXTRA_CA_CERTS']},
			{kind: 'text', text: 'Check that the server is running, or raise its `connect_timeout`'},
			{kind: 'reconnect', server: 'files'},
		],
	};
	expect(await tryOne(failed, []).end()).toMatch(
		/within 60 s · It does not get NODE_EXTRA_CA_CERTS from Sluice; if it needs that, add it with --pass-env NODE_EXTRA_CA_CERTS; Check/u,
	);
});
