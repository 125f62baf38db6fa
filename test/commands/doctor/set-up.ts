import {mkdirSync, writeFileSync} from 'node:fs';
import {dirname, join} from 'node:path';
import {stateDirectory} from '../../helpers/sluice.ts';
import {garden} from '../../stories/garden.ts';

/** A set-up in which nothing is wrong: every break below changes one thing of it. */
export const healthyRoute = {
	prompt: 'Review {title}',
	deliver: 'telegram',
	skills: ['weeding'],
	toolsets: ['mcp-garden'],
};
export const healthyWebhook = {enabled: true, port: 0, secret: '${WEBHOOK_SECRET}', routes: {pulls: healthyRoute}};
export const healthy = {
	model: {provider: 'openai'},
	mcp_servers: {garden},
	platforms: {webhook: healthyWebhook, telegram: {home_channel: '1'}},
};
export const environment =
	'OPENAI_API_KEY=sk-not-a-key\nWEBHOOK_SECRET=not-a-secret\nTELEGRAM_BOT_TOKEN=1:not-a-token\n';

export function healthyDirectory(config: object | string = healthy, env = environment): string {
	const home = stateDirectory(config, env);
	put(home, 'skills/weeding/SKILL.md', 'Pull');
	return home;
}

/** Writes a file of the state directory, private as the program makes it. */
export function put(home: string, file: string, text: string): void {
	const path = join(home, file);
	mkdirSync(dirname(path), {recursive: true, mode: 0o700});
	writeFileSync(path, text, {mode: 0o600});
}

export type Found = {
	readonly check: string;
	readonly level: 'warning' | 'error';
	readonly message: string;
	/** Part of the remedy; HOME stands for the state directory. */
	readonly remedy: string;
};

export type SetUp = {
	readonly broken: string;
	readonly config?: object | string;
	readonly env?: string;
	readonly prepare?: (home: string) => void | Promise<void>;
	/** All that is found wrong, and nothing else. */
	readonly found: readonly Found[];
};

export const withRoute = (route: object) => withWebhook({routes: {pulls: {...healthyRoute, ...route}}});
export const withWebhook = (webhook: object) => ({
	...healthy,
	platforms: {...healthy.platforms, webhook: {...healthyWebhook, ...webhook}},
});
export const withServer = (server: object) => ({...healthy, mcp_servers: {garden: {...garden, ...server}}});
export const route = (found: Omit<Found, 'check'>): readonly Found[] => [{check: 'route pulls', ...found}];

/** Names checks, commands and keys as those of the profile that doctor was started for. */
export const ownPlace = {
	checkName: (check: string) => check,
	command: (...words: readonly string[]) => words.join(' '),
	keyPlace: (...keys: ReadonlyArray<string | number>) => keys.join('.'),
};
