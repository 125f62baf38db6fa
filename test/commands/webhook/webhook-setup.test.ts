import {chmodSync, existsSync, readFileSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {describe, expect, test} from 'vitest';
import {type CommandFlags} from '../../../source/commands/cli/command.ts';
import {runWebhookSetup} from '../../../source/commands/webhook/webhook-setup.ts';
import {readEnvironment} from '../../../source/config/read/environment.ts';
import {temporaryDirectory} from '../../helpers/temporary-directory.ts';
import {openState} from '../webhook-fixture.ts';

const url = 'https://hooks.example.com';
const address = `${url}/webhooks/github-acme-shop`;

/** A `gh` that writes down how it was called, and answers a list with `hooks`; without a list it is not installed. */
function openGithub({hooks, fails = ''}: {readonly hooks?: string; readonly fails?: string}) {
	const folder = temporaryDirectory();
	if (hooks !== undefined) {
		writeFileSync(join(folder, 'hooks.json'), hooks);
		const script = [
			'#!/bin/sh',
			`echo "$*" >> ${folder}/calls`,
			`case "$3" in`,
			`GET) cat ${folder}/hooks.json ;;`,
			`*) cat > ${folder}/body; ${fails === '' ? '' : `echo '${fails}' >&2; exit 1`} ;;`,
			'esac',
		];
		writeFileSync(join(folder, 'gh'), script.join('\n'));
		chmodSync(join(folder, 'gh'), 0o755);
	}

	const {run, stored} = openState();
	const environment = {...readEnvironment(), variables: {PATH: `${folder}:/usr/bin:/bin`, HOME: folder}};
	const read = (name: string) => (existsSync(join(folder, name)) ? readFileSync(join(folder, name), 'utf8') : '');
	return {
		stored,
		calls: () => read('calls').trim().split('\n').filter(Boolean),
		body: () => JSON.parse(read('body') || 'null'),
		setup: (words: readonly string[], flags: CommandFlags) =>
			run((context, open) => runWebhookSetup(context, open, {environment}), words, flags),
	};
}

const repository = ['github', 'acme/shop'];

describe('webhook setup github', () => {
	test('creates the route and, after a yes, the webhook; the secret is no argument', async () => {
		const {setup, calls, body, stored} = openGithub({hooks: '[]'});
		const {code, stdout} = await setup(repository, {url: `${url}/`, events: 'push,pull_request', yes: true});
		const secret = String(stored()['github-acme-shop']?.['secret']);
		expect([code, stdout]).toEqual([
			0,
			`Name    github-acme-shop\nURL     ${address}\nSecret  ${secret}\nHook    created, see https://github.com/acme/shop/settings/hooks\n`,
		]);
		expect(calls()).toEqual([
			'api --method GET repos/acme/shop/hooks?per_page=100',
			'api --method POST repos/acme/shop/hooks --input -',
		]);
		expect(body()).toEqual({
			name: 'web',
			active: true,
			events: ['push', 'pull_request'],
			config: {url: address, content_type: 'json', secret, insecure_ssl: '0'},
		});
	});

	test('updates the webhook with the same address', async () => {
		const hooks = JSON.stringify([
			{id: 6, config: {url: 'https://other.example.com'}},
			{id: 7, config: {url: address}},
		]);
		const {setup, calls} = openGithub({hooks});
		const {stdout} = await setup(repository, {url, yes: true, json: true});
		expect(JSON.parse(stdout)).toMatchObject({url: address, hook: {state: 'updated', reason: null}});
		expect(calls().at(-1)).toBe('api --method PATCH repos/acme/shop/hooks/7 --input -');
	});

	test('keeps the secret of a route that is there', async () => {
		const {setup, stored} = openGithub({});
		await setup(repository, {url});
		const before = stored()['github-acme-shop'];
		await setup(repository, {url, prompt: 'Review'});
		expect(stored()['github-acme-shop']).toEqual({...before, prompt: 'Review'});
	});

	test.each<[string, Parameters<typeof openGithub>[0], CommandFlags, string]>([
		['without gh', {}, {url, yes: true}, 'the program `gh` is not installed (https://cli.github.com)'],
		['without rights', {hooks: 'no'}, {url, yes: true}, '`gh` could not read the webhooks: no'],
		['without a yes', {hooks: '[]'}, {url}, 'without a terminal it needs --yes'],
		[
			'at an address of this machine',
			{hooks: '[]'},
			{yes: true},
			'GitHub cannot reach 127.0.0.1:8655; give the public address with --url',
		],
		[
			'when GitHub refuses it',
			{hooks: '[]', fails: 'gh: Validation Failed (HTTP 422)'},
			{url, yes: true},
			'`gh` failed: gh: Validation Failed (HTTP 422)',
		],
	])('%s the route is there, and the person gets what to enter', async (_what, github, flags, reason) => {
		const {setup, stored} = openGithub(github);
		const {code, stdout} = await setup(repository, flags);
		const secret = String(stored()['github-acme-shop']?.['secret']);
		expect(code).toBe(0);
		expect(stdout).toContain(
			`The webhook was not created: ${reason}.\nEnter it at https://github.com/acme/shop/settings/hooks/new:\n`,
		);
		expect(stdout).toContain(
			`  Content type  application/json\n  Secret        ${secret}\n  Events        Send me everything\n`,
		);
	});

	test.each<[readonly string[], CommandFlags, string]>([
		[['gitlab', 'acme/shop'], {}, 'Usage: sluice webhook setup github OWNER/REPO'],
		[['github'], {}, 'Usage: sluice webhook setup github OWNER/REPO'],
		[['github', 'acme'], {}, '"acme" is not a repository. Name it as OWNER/REPO'],
		[['github', 'acme/..'], {}, '"acme/.." is not a repository'],
		[['github', 'acme/shop?x'], {}, 'is not a repository'],
		[repository, {url: 'hooks.example.com'}, '--url must be an address as https://hooks.example.com'],
		[repository, {url: 'https://a:b@hooks.example.com'}, '--url must be an address'],
	])('%j with %j is refused, and nothing is written', async (words, flags, message) => {
		const {setup, stored, calls} = openGithub({hooks: '[]'});
		const {code, stderr} = await setup(words, {...flags, yes: true});
		expect([code, stored(), calls()]).toEqual([2, {}, []]);
		expect(stderr).toContain(message);
	});
});
