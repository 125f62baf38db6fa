/** It is put together, so that no import of this program looks like it. */
const childProcess = JSON.stringify('node:child_process');

/** The beginning of every plugin that we have written. */
export const pluginMark = '// Written by `sluice connect opencode --hook`';

/** The line of the plugin that names its command, as JSON. */
const wordsLine = /^const words = (\[.*\]);$/mu;

/** The words that start the hook in a plugin of ours; undefined: the text is no such plugin. */
export function pluginWords(text: string): readonly string[] | undefined {
	const [, json] = (text.startsWith(pluginMark) ? wordsLine.exec(text) : null) ?? [];
	try {
		const words: unknown = JSON.parse(json ?? 'null');
		return Array.isArray(words) && words.every(word => typeof word === 'string') ? words : undefined;
	} catch {
		return undefined;
	}
}

/** All but the command: JavaScript for the runtime of opencode. */
const pluginBody = `const kinds = {bash: 'bash', edit: 'edit', write: 'edit', patch: 'edit', multiedit: 'edit', apply_patch: 'edit', webfetch: 'webfetch', websearch: 'websearch', codesearch: 'codesearch'};
const maxCalls = 1000;
const calls = new Map();
const running = new Map();

// A question names a permission; the call that it is about has the tool and all arguments.
function payloadOf({id, sessionID, permission, action, patterns, resources, metadata, tool}, cwd) {
	const name = permission ?? action;
	const call = calls.get(tool?.callID);
	const known = call !== undefined && kinds[call.tool] === name;
	return {
		hook_event_name: 'permission.asked',
		session_id: sessionID,
		tool_use_id: id,
		cwd,
		tool_name: known ? call.tool : name,
		tool_input: known ? call.args : {...metadata, patterns: patterns ?? resources ?? []},
	};
}

function ask(asked, cwd) {
	return new Promise(resolve => {
		const [command, ...args] = words;
		const hook = spawn(command, args, {cwd, stdio: ['pipe', 'pipe', 'ignore']});
		let output = '';
		running.set(asked.id, hook);
		hook.stdout.on('data', text => (output += text));
		hook.stdin.on('error', () => undefined);
		hook.on('error', () => resolve(undefined));
		hook.on('close', code => {
			try {
				const answer = code === 0 ? JSON.parse(output) : undefined;
				resolve(answer?.reply === 'once' || answer?.reply === 'reject' ? answer : undefined);
			} catch {
				resolve(undefined);
			}
		});
		hook.stdin.end(JSON.stringify(payloadOf(asked, cwd)));
	});
}

async function take(type, asked, {directory, reply}) {
	if (type === 'permission.replied' || type === 'permission.v2.replied') {
		running.get(asked.requestID ?? asked.permissionID)?.kill();
	} else if (type === 'permission.asked' || type === 'permission.v2.asked') {
		try {
			const answer = await ask(asked, directory);
			if (answer) await reply(asked, answer);
		} catch {
			// The question stays in opencode.
		} finally {
			running.delete(asked.id);
		}
	}
}

export default {
	id: 'sluice',
	async server({client, directory}) {
		const reply = ({id, sessionID}, answer) =>
			client.permission?.reply
				? client.permission.reply({requestID: id, reply: answer.reply, message: answer.message})
				: client.postSessionIdPermissionsPermissionId({path: {id: sessionID, permissionID: id}, body: {response: answer.reply}});
		return {
			'tool.execute.before': async ({tool, callID}, {args}) => {
				calls.set(callID, {tool, args});
				if (calls.size > maxCalls) calls.delete(calls.keys().next().value);
			},
			'tool.execute.after': async ({callID}) => void calls.delete(callID),
			event: async ({event}) => void take(event.type, event.properties, {directory, reply}),
		};
	},
	async setup(context) {
		const directory = context.location?.directory ?? process.cwd();
		const reply = ({id, sessionID}, answer) => context.permission.reply({sessionID, requestID: id, reply: answer.reply, message: answer.message});
		const follow = async () => {
			for await (const {type, data} of context.event.subscribe()) void take(type, data, {directory, reply});
		};
		follow().catch(() => undefined);
	},
};
`;

/**
A plugin of opencode that hands each question to `sluice hook opencode` and answers it for the person (https://opencode.ai/v1/docs/plugins,
https://opencode.ai/v2/docs/build/plugins/migrate-v1: version 1 calls `server`, version 2 `setup`). The hook gets the call as JSON on stdin; its stdout is
`{"reply": "once"|"reject", "message"}`, or nothing, which leaves the question to opencode. A question that is answered in opencode ends the hook.
*/
export function openCodePlugin(words: readonly string[]): string {
	return [
		`${pluginMark}; \`sluice connect opencode --remove\` removes it.`,
		`import {spawn} from ${childProcess};`,
		'',
		`const words = ${JSON.stringify(words)};`,
		pluginBody,
	].join('\n');
}
