/** The command that the plugin starts: an absolute path, and the arguments in front of nothing else. */
type StartedHook = {readonly command: string; readonly args: readonly string[]};

/** It is put together here, so that no import of this program looks like it. */
const childProcess = 'node:child_process';

/**
The text of the opencode plugin (https://opencode.ai/docs/plugins): at each permission that opencode asks for, it starts the hook command with the call
on stdin, and replies what that says. Without an answer the dialog of opencode stays open; an answer of its person ends the hook.
*/
export function opencodePlugin({command, args}: StartedHook): string {
	return `// Written by \`sluice connect opencode --hook\`; \`--remove\` takes it away.
import {spawn} from ${JSON.stringify(childProcess)};

const [command, ...args] = ${JSON.stringify([command, ...args])};
const kinds = {bash: 'bash', edit: 'edit', write: 'edit', patch: 'edit', multiedit: 'edit', apply_patch: 'edit', webfetch: 'webfetch', websearch: 'websearch', codesearch: 'codesearch'};
const maxCalls = 1000;

export const Sluice = async ({client, directory, serverUrl}) => {
	const calls = new Map();
	const running = new Map();

	const ask = asked =>
		new Promise(resolve => {
			const child = spawn(command, args, {stdio: ['pipe', 'pipe', 'ignore']});
			let text = '';
			running.set(asked.id, child);
			child.stdout.on('data', chunk => (text += chunk));
			child.stdin.on('error', () => undefined).end(JSON.stringify(payloadOf(asked)));
			child.on('error', () => resolve(undefined));
			child.on('close', code => {
				running.delete(asked.id);
				try {
					resolve(code === 0 && text !== '' ? JSON.parse(text) : undefined);
				} catch {
					resolve(undefined);
				}
			});
		});

	const payloadOf = ({id, sessionID, permission, action, patterns, resources, metadata, tool}) => {
		const name = permission ?? action;
		const call = calls.get(tool?.callID);
		const known = call !== undefined && kinds[call.tool] === name;
		return {
			hook_event_name: 'permission.asked',
			session_id: sessionID,
			tool_use_id: id,
			cwd: directory,
			tool_name: known ? call.tool : name,
			tool_input: known ? call.args : {...metadata, patterns: patterns ?? resources ?? []},
		};
	};

	const reply = async ({id, sessionID}, {reply: answer, message}, version) => {
		if (version === 2) {
			const url = new URL(\`/api/session/\${sessionID}/permission/\${id}/reply\`, serverUrl);
			await fetch(url, {method: 'POST', headers: {'content-type': 'application/json'}, body: JSON.stringify({reply: answer, message})});
		} else if (client.permission?.reply) {
			await client.permission.reply({requestID: id, reply: answer, message});
		} else {
			await client.postSessionIdPermissionsPermissionId({path: {id: sessionID, permissionID: id}, body: {response: answer}});
		}
	};

	return {
		'tool.execute.before': async ({tool, callID}, {args: given}) => {
			calls.set(callID, {tool, args: given});
			if (calls.size > maxCalls) calls.delete(calls.keys().next().value);
		},
		'tool.execute.after': async ({callID}) => void calls.delete(callID),
		event: async ({event}) => {
			const asked = event.properties ?? event.data;
			if (event.type === 'permission.asked' || event.type === 'permission.v2.asked') {
				const version = event.type === 'permission.asked' ? 1 : 2;
				void ask(asked)
					.then(answer => (answer === undefined ? undefined : reply(asked, answer, version)))
					.catch(() => undefined);
			} else if (event.type === 'permission.replied' || event.type === 'permission.v2.replied') {
				running.get(asked.requestID ?? asked.permissionID)?.kill();
			}
		},
	};
};
`;
}
