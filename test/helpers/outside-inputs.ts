import {definitionDifference} from '../../source/approvals/definition-difference.ts';
import {readHtml} from '../../source/agent/built-ins/page-text.ts';
import {scanHtml} from '../../source/agent/built-ins/scan-html.ts';
import {textDifference} from '../../source/commands/setup/text-difference.ts';
import {createLineBuffer} from '../../source/mcp/transport/line-buffer.ts';
import {createUntrustedTexts} from '../../source/tools/untrusted-texts.ts';
import {compileFnmatch} from '../../source/util/fnmatch.ts';
import {hasRepeatedName, isDeeperThan, lossInJson, parseJson} from '../../source/util/json-text.ts';
import {lookAlikes} from '../../source/util/look-alikes.ts';
import {exactText} from '../../source/util/exact-text.ts';
import {markdownTokens} from '../../source/util/markdown-tokens.ts';
import {compilePattern} from '../../source/util/pattern.ts';
import {maskTokens} from '../../source/util/redact.ts';
import {safeText} from '../../source/util/safe-text.ts';
import {parseExactJson} from '../../source/webhooks/payload/exact-json.ts';
import {readFormFields} from '../../source/webhooks/payload/form.ts';
import {readParts} from '../../source/webhooks/payload/multipart.ts';
import {readSignature} from '../../source/webhooks/signature/signature.ts';
import {renderTemplate} from '../../source/webhooks/template/template.ts';
import {unclosedBraces} from '../../source/util/templates/template-variables.ts';

/** Work over bytes that outsiders choose; its input is `size` times as long as the one of size 1. */
export type OutsideInput = {
	readonly name: string;
	/** The owner of the loop: ours is counted in a test, that of a library is timed in a benchmark. */
	readonly by: 'us' | 'library';
	readonly work: (size: number) => unknown;
};

const json = (size: number) =>
	JSON.stringify(Array.from({length: size * 400}, (_, at) => ({[`n${at % 9}`]: at, text: '\\"{'})));
const nested = (size: number) => `${'['.repeat(size * 400)}${']'.repeat(size * 400)}`;
const scope = (size: number) => ({payload: {a: 'x'.repeat(size)}, event: 'e', deliveryId: 'd', route: 'r'});
/** Its contents look like a boundary almost everywhere. */
const parts = (size: number) => {
	const head = '------b\r\nContent-Disposition: form-data; name="a"\r\n\r\n';
	return Buffer.from(`${head}${'\r\n----'.repeat(size * 2000)}\r\n${head}${'-'.repeat(size * 10_000)}\r\n------b--`);
};

const definition = (size: number) => ({
	description: 'd'.repeat(size * 500),
	names: Array.from({length: size * 100}, (_, at) => `n${at}`),
});

/** Every loop over headers, JSON, filters, templates, Markdown, HTML, patterns, differences and lines of outsiders. */
export const outsideInputs: readonly OutsideInput[] = [
	{name: 'form', by: 'us', work: size => readFormFields('a=&b=c%20+'.repeat(size * 400))},
	{name: 'form of parts', by: 'library', work: size => readParts(parts(size), 'multipart/form-data; boundary=----b')},
	{name: 'JSON', by: 'library', work: size => parseJson(json(size))},
	{name: 'JSON with exact digits', by: 'us', work: size => parseExactJson(json(size))},
	{name: 'depth of JSON', by: 'us', work: size => isDeeperThan(parseJson(nested(size)) ?? null, 200)},
	{name: 'names of JSON', by: 'us', work: size => hasRepeatedName(json(size))},
	{name: 'losses of JSON', by: 'us', work: size => lossInJson(json(size))},
	{
		name: 'signature header',
		by: 'us',
		work: size =>
			readSignature(
				new Map([
					['webhook-id', 'a'],
					['webhook-timestamp', '1'],
					['webhook-signature', 'v1,AAAA '.repeat(size * 200)],
				]),
			),
	},
	{name: 'template', by: 'us', work: size => renderTemplate('{a} {b.c {'.repeat(size * 200), scope(10))},
	{name: 'template of open braces', by: 'us', work: size => renderTemplate('{'.repeat(size * 4000), scope(10))},
	{name: 'unclosed braces', by: 'us', work: size => unclosedBraces('{a.'.repeat(size * 2000))},
	{name: 'value in a template', by: 'us', work: size => renderTemplate('{a}', scope(size * 20_000))},
	{name: 'glob', by: 'us', work: size => compileFnmatch('*a*a*a*b')('a'.repeat(size * 400))},
	{
		name: 'regular expression',
		by: 'library',
		work: size => {
			const pattern = compilePattern('(a+)+$');
			return 'test' in pattern && pattern.test(`${'a'.repeat(size * 4000)}!`);
		},
	},
	{name: 'Markdown of brackets', by: 'library', work: size => markdownTokens('[a]( *b _c '.repeat(size * 200))},
	{name: 'Markdown of quotes', by: 'library', work: size => markdownTokens(`${'> '.repeat(size * 40)}a\n`)},
	{
		name: 'Markdown of tables',
		by: 'library',
		work: size => markdownTokens(`|a|b|\n|-|-|\n${'|x|y|\n'.repeat(size * 200)}`),
	},
	{
		name: 'scanned HTML',
		by: 'us',
		work: size => scanHtml('<div class="a"><p>b</p><!-- < --></div>'.repeat(size * 200)),
	},
	{name: 'stray brackets of HTML', by: 'us', work: size => scanHtml('<a <b '.repeat(size * 800))},
	{
		name: 'HTML as Markdown',
		by: 'library',
		work: size =>
			readHtml(
				`<html><body><article>${'<p>a <b>b</b></p>'.repeat(size * 100)}</article></body></html>`,
				'https://a.test/',
			),
	},
	{
		name: 'difference of texts',
		by: 'library',
		work: size => textDifference('a\nb\n'.repeat(size * 2000), 'a\nc\n'.repeat(size * 2000)),
	},
	{
		name: 'difference of definitions',
		by: 'us',
		work: size => definitionDifference(definition(size), {...definition(size), title: 'x'}),
	},
	{name: 'shown text', by: 'us', work: size => safeText('a\u202E\u0007é'.repeat(size * 1000))},
	{name: 'look-alikes', by: 'us', work: size => lookAlikes('раypal\u200B'.repeat(size * 500))},
	{name: 'exact text', by: 'us', work: size => exactText('dеlete ––force https://ü/ '.repeat(size * 200))},
	{name: 'exact text of one word', by: 'us', work: size => exactText('dе8О'.repeat(size * 500))},
	{name: 'exact text of hyphens', by: 'us', work: size => exactText(`/a${'–'.repeat(size * 2000)}`)},
	{name: 'exact text of hosts', by: 'us', work: size => exactText('http:ü@'.repeat(size * 500))},
	{name: 'tokens in text', by: 'us', work: size => maskTokens('Bearer sk-aaaa token= ghp_ '.repeat(size * 300))},
	{
		name: 'untrusted text',
		by: 'us',
		work: size => createUntrustedTexts().add('%26amp;\\u0041 &sol; '.repeat(size * 400)),
	},
	{
		name: 'lines of a server',
		by: 'us',
		work: size => {
			const lines = createLineBuffer(100_000_000);
			for (let at = 0; at < size * 400; at++) {
				lines.push(Buffer.from('abc'));
			}
			return lines.push(Buffer.from('\n'));
		},
	},
];
