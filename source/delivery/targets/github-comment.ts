import {safeText} from '../../util/safe-text.ts';
import {extraText} from '../chat.ts';
import {type SendOutcome} from '../send-outcome.ts';
import {type DeliveryTarget, type SendContext} from '../target.ts';

/** The name of a repository: OWNER/REPO. */
export const repositoryPattern = /^[A-Za-z0-9][A-Za-z0-9-]{0,38}\/(?!\.{1,2}$)[\w.-]{1,100}$/u;
const number = /^[1-9]\d{0,9}$/u;

/** The only variables of the profile that `gh` gets. */
const passedVariables = ['PATH', 'HOME', 'GH_CONFIG_DIR', 'XDG_CONFIG_HOME', 'TMPDIR'];

const notLoggedIn = 4;

/** A comment on a pull request or an issue, through `gh`: one call of the REST API, arguments without a shell, the text on stdin. */
export const githubComment = {
	name: 'github_comment',
	limit: {unit: 'utf16', maximum: 65_536},
	repeat: () => 'unsafe',
	chat: () => ({kind: 'bound'}),
	refuse(extra) {
		const {repo, pull} = placeOf(extra);
		if (!repositoryPattern.test(repo)) {
			return 'deliver_extra.repo is missing or is not owner/name';
		}

		return number.test(pull) ? undefined : 'deliver_extra.pr_number is missing or is not a number';
	},
	async send({text, extra}, context) {
		const {repo, pull} = placeOf(extra);
		const {execa} = await import('execa');
		const host = context.settings.baseUrl === '' ? [] : ['--hostname', new URL(context.settings.baseUrl).host];
		const request = ['api', '--include', '--method', 'POST', ...host, `repos/${repo}/issues/${pull}/comments`];
		const result = await execa('gh', [...request, '--input', '-'], {
			input: JSON.stringify({body: text}),
			env: environmentOf(context),
			extendEnv: false,
			reject: false,
			cancelSignal: context.signal,
			maxBuffer: 1_000_000,
		});
		return outcomeOf(result);
	},
} satisfies DeliveryTarget & {readonly name: 'github_comment'};

function environmentOf({settings, variables}: SendContext): Readonly<Record<string, string>> {
	const passed = passedVariables.flatMap(name => {
		const value = variables(name);
		return value === undefined ? [] : [[name, value] as const];
	});
	const {token} = settings;
	const tokens: Readonly<Record<string, string>> = token === '' ? {} : {GH_TOKEN: token, GH_ENTERPRISE_TOKEN: token};
	return {...Object.fromEntries(passed), ...tokens, GH_PROMPT_DISABLED: '1', GH_NO_UPDATE_NOTIFIER: '1', NO_COLOR: '1'};
}

type Result = {
	readonly exitCode?: number;
	readonly code?: string;
	/** Set when the program had begun. */
	readonly signal?: string;
	readonly isCanceled: boolean;
	readonly isMaxBuffer: boolean;
	readonly stdout?: string;
	readonly stderr?: string;
};

/** The status line printed by `--include` decides; without one, only an early exit of `gh` is sure to have sent nothing. */
function outcomeOf(result: Result): SendOutcome {
	const {exitCode, code, stdout = '', stderr = ''} = result;
	if (code === 'ENOENT' || code === 'EACCES') {
		return {
			kind: 'refused',
			detail: 'the program `gh` is not installed on this machine; install it from https://cli.github.com',
		};
	}

	if (exitCode === undefined && result.signal === undefined && !result.isCanceled && !result.isMaxBuffer) {
		return {kind: 'refused', detail: `the program \`gh\` cannot be started${code === undefined ? '' : ` (${code})`}`};
	}

	const status = Number(/^HTTP\/[\d.]+ (\d{3})/u.exec(stdout)?.[1] ?? 0);
	const detail = safeText(`status ${status || 'unknown'}: ${stderr}`, {maximumCharacters: 500});
	if (exitCode === 0 && status === 201) {
		return {kind: 'sent'};
	}

	const wait = Number(/^retry-after: *(\d+)/imu.exec(stdout)?.[1] ?? 0);
	if (status === 429 || (status === 403 && wait > 0)) {
		return {kind: 'rate-limited', waitSeconds: wait || 60, detail};
	}

	if (status === 503 || (status === 0 && /no such host|connection refused/iu.test(stderr))) {
		return {kind: 'unavailable', detail, waitSeconds: wait};
	}

	if (status === 0 && exitCode !== notLoggedIn) {
		return {kind: 'unknown', detail: `\`gh\` ended without an answer: ${detail}`};
	}

	return status === 502 || status === 504 ? {kind: 'unknown', detail} : {kind: 'refused', detail, cause: 'settings'};
}

function placeOf(extra: Parameters<typeof extraText>[0]) {
	return {repo: extraText(extra, 'repo'), pull: extraText(extra, 'pr_number')};
}
