import {createHmac} from 'node:crypto';
import {existsSync, readFileSync, writeFileSync} from 'node:fs';
import {expect, test, vi} from 'vitest';
import {freePort} from '../helpers/free-port.ts';
import {linesBelow, openShellHome, playLines, typeLine} from '../helpers/typed-lines.ts';
import {startModelServer} from '../simulators/model-server.ts';

const page = readFileSync(new URL('../../docs/recipes.md', import.meta.url), 'utf8');
const headings = [...page.matchAll(/^## (.+)$/gmu)].map(([, heading = '']) => heading);
const patient = {timeout: 180_000};

test('every recipe has a test', () => {
	expect(headings).toEqual([
		'A tool server that asks before it writes',
		'A signed webhook, as GitHub sends it',
		'A scheduled job that runs a prompt',
		'A rule that spares you a card',
		'A review comment on each pull request',
		'A line in Slack for each Stripe payment',
		'A Grafana alert that asks before it acts, and a mail',
		'A WhatsApp chat with an agent',
	]);
});

test('a tool server asks before it writes, and the call is allowed from another terminal', patient, async () => {
	const lines = linesBelow(page, 'A tool server that asks before it writes');
	const {output, background} = await playLines(lines, openShellHome());
	expect(output('sluice approvals list')).toContain('write_file');
	expect(output('cat')).toBe('sow');
	expect(await background[1]?.end).toBe(0);
});

test(
	'a webhook with the signature of GitHub is accepted, a forged one is refused, and another terminal shows both',
	patient,
	async () => {
		const port = await freePort();
		const env = openShellHome({WEBHOOK_PORT: `${port}`});
		let secret = '';
		const lines = linesBelow(page, 'A signed webhook, as GitHub sends it');
		const {output} = await playLines(lines, env, line => {
			secret ||= secretOf(env.HOME);
			return line.replace(':8644/', `:${port}/`).replace('SECRET', secret);
		});
		expect(JSON.parse(output('curl -sS -H "X-Hub-Signature-256: sha256=$signature"'))).toMatchObject({
			status: 'accepted',
			route: 'pulls',
		});
		expect(output('curl -sS -H "X-Hub-Signature-256: sha256=0000"')).toBe('{"error":"Invalid signature"}');
		expect(output('sluice webhook subscribe').trimEnd()).toMatch(new RegExp(`${secret}$`, 'u'));
		expect(output('sluice events list')).toMatch(/401[\s\S]*202|202[\s\S]*401/u);
		expect(output('sluice events show')).toContain('Review Water the beans');
	},
);

test('a scheduled job runs its prompt, and its run shows the call of the tool and the answer', patient, async () => {
	const env = openShellHome();
	const model = await startModelServer(
		{calls: [{name: 'mcp__files__read_text_file', input: {path: `${env.HOME}/notes/today.txt`}}]},
		'The garden wants water.',
	);
	const lines = linesBelow(page, 'A scheduled job that runs a prompt');
	const {output} = await playLines(lines, env, line => line.replace('http://127.0.0.1:11434', model.url));
	expect(output('sluice cron list')).toContain('morning');
	expect(output('sluice runs list')).toContain('finished');
	expect(output('sluice runs show')).toMatch(/read_text_file[\s\S]*The garden wants water\./u);
});

test('a rule spares the card for one folder, and for no other', patient, async () => {
	const env = openShellHome();
	const lines = linesBelow(page, 'A rule that spares you a card');
	const {output} = await playLines(lines, env, async line => {
		if (!line.startsWith('sluice rules add')) {
			return line;
		}

		// There is no terminal that could be asked: the first time prints the rule and its hash.
		const shown = typeLine(line, env);
		expect(await shown.end).toBe(2);
		return `${line} --hash ${/\b[0-9a-f]{64}\b/u.exec(shown.output())?.[0] ?? ''}`;
	});
	const [inside = '', outside = ''] = [
		'sluice rules test files/write_file --args "',
		"sluice rules test files/write_file --args '",
	].map(output);
	expect(inside).toMatch(/allow/iu);
	expect(outside).not.toMatch(/allow/iu);
	expect(output('cat')).toBe('sow');
	expect(output('sluice rules list')).toContain('write_file');
});

test('a pull request gets a comment of the model, with three commands and no editor', patient, async () => {
	const port = await freePort();
	const env = openShellHome({WEBHOOK_PORT: `${port}`});
	const said = installGh(env.HOME);
	const model = await startModelServer('Check the length of the hose.');
	const lines = linesBelow(page, 'A review comment on each pull request');
	expect(lines.indexOf('sluice gateway run &')).toBe(2);
	const {output} = await playLines(lines, env, async line => {
		if (line === 'sluice events list') {
			const hook = said('repos/acme/shop/hooks');
			expect(hook).toMatchObject({
				events: ['pull_request'],
				config: {url: 'https://hooks.example.com/webhooks/github-acme-shop', content_type: 'json'},
			});
			await openPullRequest(port, String(Object(Object(hook).config).secret));
			await vi.waitFor(() => expect(said('repos/acme/shop/issues/7/comments')).toBeDefined(), {timeout: 30_000});
		}

		return line.replace('http://127.0.0.1:11434', model.url);
	});
	expect(said('repos/acme/shop/issues/7/comments')).toEqual({body: 'Check the length of the hose.'});
	expect(output('sluice runs list')).toContain('finished');
	expect(output('sluice runs show')).toContain('Check the length of the hose.');
});

/** A `gh` that knows no webhook and accepts what is posted; the returned function answers the last body at a path. */
function installGh(home: string): (path: string) => unknown {
	const script = `#!/bin/sh
for word; do case "$word" in repos/*) path=$(echo "$word" | tr / +);; esac; done
case "$*" in
*'--method GET'*) echo '[]' ;;
*--include*) cat > "${home}/said-$path"; printf 'HTTP/2.0 201 Created\\r\\n\\r\\n{}' ;;
*) cat > "${home}/said-$path" ;;
esac
`;
	writeFileSync(`${home}/bin/gh`, script, {mode: 0o755});
	return path => {
		const file = `${home}/said-${path.replaceAll('/', '+')}`;
		return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : undefined;
	};
}

/** A delivery as GitHub signs it. */
async function openPullRequest(port: number, secret: string): Promise<void> {
	const payload = {
		action: 'opened',
		number: 7,
		pull_request: {title: 'A longer hose', body: 'Two metres more.'},
		repository: {full_name: 'acme/shop'},
	};
	const body = JSON.stringify(payload);
	const response = await fetch(`http://127.0.0.1:${port}/webhooks/github-acme-shop`, {
		method: 'POST',
		body,
		headers: {
			'content-type': 'application/json',
			'x-github-event': 'pull_request',
			'x-github-delivery': 'one',
			'x-hub-signature-256': `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`,
		},
	});
	expect(await response.json()).toMatchObject({status: 'accepted'});
}

/** The secret that `webhook subscribe` printed, as it is stored; empty before. */
function secretOf(home: string): string {
	try {
		const text = readFileSync(`${home}/.sluice/webhook_subscriptions.json`, 'utf8');
		return /"secret": ?"([^"]+)"/u.exec(text)?.[1] ?? '';
	} catch {
		return '';
	}
}
