import {readFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from 'vitest';

/**
Where each of the seventy attacks is met: the number, the file below `test/`, and a piece of the title or of the table row.
*/
const met: ReadonlyArray<readonly [number: number, file: string, piece: string]> = [
	[1, 'webhooks/attacks.test.ts', '1, no signature: 401, and nobody touches the body'],
	[2, 'webhooks/signature/signature.test.ts', 'X-Hub-Signature-256 "$header" is $expected'],
	[3, 'webhooks/signature/signature.test.ts', 'X-Hub-Signature-256 "$header" is $expected'],
	[4, 'webhooks/http/server.test.ts', 'bytes beyond ASCII in a header are no exception'],
	[5, 'webhooks/http/server.test.ts', 'a duplicate signature header is one that does not fit'],
	[6, 'webhooks/signature/signature.test.ts', 'without a recognised header there is no claim'],
	[7, 'webhooks/attacks.test.ts', 'number: 7'],
	[8, 'webhooks/attacks.test.ts', 'number: 8'],
	[9, 'webhooks/signature/signature.test.ts', 'two bodies that are no UTF-8 do not share a signature'],
	[10, 'config/webhooks/refusals.test.ts', 'a route without a secret'],
	[10, 'webhooks/signature/signature.test.ts', 'there is no key in "%s"'],
	[11, 'webhooks/routes/subscriptions.test.ts', 'is skipped with its reason, and the others are served'],
	[12, 'config/webhooks/refusals.test.ts', 'an address that only begins like loopback is none'],
	[13, 'config/webhooks/refusals.test.ts', 'is found in %j with the platform %j'],
	[14, 'webhooks/signature/signature.test.ts', "{'x-gitlab-token': 'INSECURE_NO_AUTH'}"],
	[15, 'webhooks/routes/prepared-route.test.ts', '"%s" does not'],
	[16, 'webhooks/signature/signature.test.ts', '"%s" is no timestamp'],
	[17, 'webhooks/signature/signature.test.ts', '$offset seconds off is $expected'],
	[18, 'webhooks/signature/signature.test.ts', 'a bad $first.name is not saved by a good $second.name'],
	[19, 'webhooks/pipeline/request-handler.test.ts', 'a valid legacy signature is warned about once per route'],
	[20, 'webhooks/attacks.test.ts', 'number: 20'],
	[21, 'webhooks/signature/signature.test.ts', 'webhook-id alone does not select Standard Webhooks'],
	[22, 'webhooks/pipeline/request-handler.test.ts', 'the secret of one route does not open another'],
	[23, 'webhooks/signature/signature.test.ts', 'any of several is enough'],
	[24, 'webhooks/constant-time.test.ts', '24, $name'],
	[25, 'webhooks/attacks.test.ts', '25, one delivery on two sockets at once'],
	[26, 'webhooks/webhook-adapter.test.ts', 'what was accepted is there, once, after a restart'],
	[27, 'webhooks/pipeline/dispatch.test.ts', 'another route has its own ids'],
	[28, 'webhooks/pipeline/dispatch.test.ts', 'is answered 502 without a detail, and may be tried again'],
	[29, 'webhooks/signature/delivery-id.test.ts', 'a long id is stored as its hash'],
	[30, 'webhooks/http/server.test.ts', 'is refused before the body, and 100 Continue is not sent'],
	[31, 'webhooks/http/server.test.ts', 'a chunked body is cut off at the limit'],
	[32, 'webhooks/http/server.test.ts', 'a length that is too small does not smuggle a request'],
	[33, 'webhooks/http/server.test.ts', 'a body that stalls is ended with 408'],
	[34, 'webhooks/idle-connections.test.ts', 'ten thousand idle ones keep nobody out'],
	[35, 'webhooks/attacks.test.ts', '35, %s: 400 and the end of the connection'],
	[36, 'webhooks/http/server.test.ts', 'many headers'],
	[37, 'webhooks/http/server.test.ts', 'pipelined requests are checked one by one'],
	[38, 'webhooks/payload/payload.test.ts', 'what grows past the limit is too large'],
	[39, 'webhooks/payload/payload.test.ts', 'multipart/form-data'],
	[40, 'webhooks/payload/payload.test.ts', '$text is $payload'],
	[41, 'webhooks/attacks.test.ts', 'number: 41'],
	[42, 'webhooks/pipeline/request-handler.test.ts', 'a foreign profile reads like an unknown route'],
	[43, 'webhooks/http/server.test.ts', '%s on a route is 405'],
	[44, 'webhooks/attacks.test.ts', '44, /health while every slot for bodies is taken'],
	[45, 'webhooks/attacks.test.ts', 'number: 45'],
	[46, 'webhooks/pipeline/request-handler.test.ts', 'a bad signature uses no quota'],
	[47, 'webhooks/attacks.test.ts', 'number: 47'],
	[48, 'webhooks/attacks.test.ts', 'number: 48'],
	[49, 'webhooks/attacks.test.ts', 'number: 49'],
	[50, 'webhooks/attacks.test.ts', 'number: 50'],
	[51, 'webhooks/attacks.test.ts', 'number: 51'],
	[52, 'webhooks/payload/payload.test.ts', 'digits beyond 2^53 survive'],
	[53, 'webhooks/attacks.test.ts', 'number: 53'],
	[54, 'webhooks/template/template.test.ts', 'what is rendered is never rendered again'],
	[55, 'webhooks/attacks.test.ts', 'number: 55'],
	[56, 'webhooks/attacks.test.ts', 'number: 56'],
	[57, 'webhooks/filters/filter.test.ts', '$what cannot be decided'],
	[58, 'webhooks/script/script.test.ts', '%s is blocked'],
	[59, 'webhooks/script/script.test.ts', 'ends as a group after 30 seconds'],
	[60, 'webhooks/script/script.test.ts', 'nothing of the gateway'],
	[61, 'webhooks/script/script.test.ts', '%s is run by what its name says'],
	[62, 'delivery/github-comment.test.ts', "{repo: '--hostname/x', pr_number: 7}"],
	[63, 'delivery/contract.test.ts', 'refuses what is no chat and sends nothing'],
	[64, 'delivery/contract.test.ts', 'the subject of a mail stays one header, whatever stands in it'],
	[65, 'delivery/contract.test.ts', 'takes no address and no key from the event'],
	[65, 'net/outgoing.test.ts', 'a redirect is an answer and is not followed'],
	[66, 'delivery/contract.test.ts', 'a text that would call everybody is quiet on %s'],
	[67, 'delivery/contract-troubles.test.ts', "test.each(['rejected', 'server-error', 'hidden-error'] as const)("],
	[68, 'webhooks/pipeline/dispatch.test.ts', 'is answered 502 without a detail'],
	[69, 'webhooks/attacks.test.ts', '69, control characters in event and payload'],
	[70, 'agent/prompt.test.ts', '%s stays between the fences of the run'],
	[70, 'webhooks/attacks.test.ts', '70, a payload that names toolset, skill'],
];

test('each of the seventy attacks has its test', () => {
	const numbers = met.map(([number]) => number).toSorted((first, second) => first - second);
	expect([...new Set(numbers)]).toEqual(Array.from({length: 70}, (_, index) => index + 1));
	const missing = met.filter(([, file, piece]) => {
		const text = readFileSync(join(import.meta.dirname, '..', file), 'utf8');
		return !text.includes(piece);
	});
	expect(missing).toEqual([]);
});
