import {chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {describe, expect, onTestFinished, test, vi} from 'vitest';
import {type JsonObject} from '../../source/util/json-text.ts';
import {openGithubComment} from '../simulators/platforms/github-comment.ts';
import {temporaryDirectory} from '../helpers/temporary-directory.ts';
import {openDelivery} from './open-delivery.ts';

const place = {repo: 'octocat/hello-world', pr_number: 7};
const systemPath = process.env['PATH'] ?? '';
const installed = systemPath.split(':').find(folder => existsSync(join(folder, 'gh')));

/** A folder that holds a `gh`: the stand-in, started as a program of its own. */
function standIn(): string {
	const folder = temporaryDirectory();
	const program = join(import.meta.dirname, '..', 'fixtures', 'gh-stand-in.ts');
	writeFileSync(join(folder, 'gh'), `#!/bin/sh\nexec "${process.execPath}" --no-warnings "${program}" "$@"\n`);
	chmodSync(join(folder, 'gh'), 0o755);
	return folder;
}

/** A local GitHub, and the approval check to it through the `gh` of that folder. */
async function openGithub(folder: string, more: Readonly<Record<string, string>> = {}) {
	const simulator = await openGithubComment();
	onTestFinished(simulator.close);
	const home = temporaryDirectory();
	const config = join(home, 'gh');
	mkdirSync(config);
	writeFileSync(join(config, 'config.yml'), `http_unix_socket: ${simulator.baseUrl}\n`);
	const variables = {
		PATH: `${folder}:/usr/bin:/bin`,
		HOME: home,
		GH_CONFIG_DIR: config,
		OTHER_TOKEN: 'not for gh',
		...more,
	};
	const callOptions = openDelivery({platforms: {github_comment: simulator.settings}, variables});
	const started = () => Object(JSON.parse(readFileSync(join(config, 'started.json'), 'utf8')));
	return {...callOptions, simulator, started};
}

const programs = [
	{what: 'a stand-in for gh', folder: standIn, isThere: true},
	{what: 'the gh of this machine', folder: () => installed ?? '', isThere: installed !== undefined},
];

describe.each(programs)('with $what', ({folder, isThere}) => {
	test.runIf(isThere)('a comment is posted where it belongs, word for word', async () => {
		const {deliver, simulator} = await openGithub(folder());
		const text = 'Looks **good** to me\n\n```ts\nconst a = "$(rm -rf /)";\n```\n`$HOME` \\ \'"';
		expect(await deliver('github_comment', text, place)).toMatchObject({kind: 'delivered'});
		expect(simulator.received).toMatchObject([{chat: 'octocat/hello-world#7', text}]);
		expect(simulator.faults).toEqual([]);
	});

	test.runIf(isThere).each(['rejected', 'hidden-error'] as const)('what GitHub refuses has failed: %s', async kind => {
		const {deliver, simulator} = await openGithub(folder());
		simulator.plan({kind});
		expect(await deliver('github_comment', 'lost', place)).toMatchObject({kind: 'failed'});
	});

	test.runIf(isThere)('a connection that breaks leaves it open', async () => {
		const {deliver, simulator} = await openGithub(folder());
		simulator.plan({kind: 'hang-up-after-taking'});
		expect(await deliver('github_comment', 'perhaps', place)).toMatchObject({kind: 'uncertain'});
	});

	test.runIf(isThere)('GitHub is waited for once when it asks for it', async () => {
		const {deliver, simulator, clock} = await openGithub(folder());
		simulator.plan({kind: 'rate-limited', waitSeconds: 3});
		const result = deliver('github_comment', 'patient', place);
		await vi.waitFor(() => expect(simulator.requests()).toBe(1), {timeout: 25_000, interval: 5});
		await vi.waitFor(() => expect(clock.open()).toBeGreaterThan(1), {timeout: 25_000, interval: 5});
		await clock.advance(3000);
		expect(await result).toMatchObject({kind: 'delivered'});
	});
});

describe('gh is started', () => {
	test('without a shell, with its text on stdin and only what it needs in its environment', async () => {
		const {deliver, started, simulator} = await openGithub(standIn());
		await deliver('github_comment', 'hello', place);
		const {args, body, environment} = started();
		expect(args).toEqual([
			'api',
			'--include',
			'--method',
			'POST',
			'repos/octocat/hello-world/issues/7/comments',
			'--input',
			'-',
		]);
		expect(JSON.parse(String(body))).toEqual({body: 'hello'});
		const ours = Object.keys(Object(environment)).filter(name => !['PWD', 'SHLVL', '_', 'OLDPWD'].includes(name));
		expect(ours.sort().join(' ')).toBe(
			'GH_CONFIG_DIR GH_ENTERPRISE_TOKEN GH_NO_UPDATE_NOTIFIER GH_PROMPT_DISABLED GH_TOKEN HOME NO_COLOR PATH',
		);
		expect(Object(environment).GH_TOKEN).toBe(simulator.settings['token']);
	});

	test('and ended when the delivery is given up', async () => {
		const {deliver, simulator, giveUp} = await openGithub(standIn());
		simulator.plan({kind: 'silence'});
		const result = deliver('github_comment', 'perhaps', place);
		await vi.waitFor(() => expect(simulator.requests()).toBe(1), {timeout: 25_000, interval: 5});
		giveUp(new Error('the gateway stops'));
		expect(await result).toMatchObject({kind: 'uncertain'});
	});

	test.each<JsonObject>([
		{repo: '../x', pr_number: 7},
		{repo: 'a/..', pr_number: 7},
		{repo: 'a/b/c', pr_number: 7},
		{repo: '--hostname/x', pr_number: 7},
		{repo: 'a/b', pr_number: '7/../../x'},
		{repo: 'a/b', pr_number: '-1'},
		{repo: 'a/b'},
		{pr_number: 7},
	])('never for %j', async extra => {
		const {deliver, simulator} = await openGithub(standIn());
		expect(await deliver('github_comment', 'lost', extra)).toMatchObject({kind: 'failed'});
		expect(simulator.requests()).toBe(0);
	});
});

test('without a token and a login of its own gh says so, and nothing was sent', async () => {
	const variables = {PATH: `${standIn()}:/usr/bin:/bin`, GH_CONFIG_DIR: temporaryDirectory()};
	const {deliver} = openDelivery({platforms: {}, variables});
	expect(await deliver('github_comment', 'lost', place)).toMatchObject({
		kind: 'failed',
		problem: {detail: expect.stringContaining('gh auth login')},
	});
});
