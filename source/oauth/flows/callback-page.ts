/** The page of every redirect: fixed text, so that nothing of an address or an answer can stand in it. */
export const callbackPage = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="color-scheme" content="light dark">
<title>Sluice</title>
<h1>Back to the terminal</h1>
<p>Sluice has what it waited for. You can close this window; the terminal says how the login ended.</p>
</html>
`;

/** Nothing is loaded, kept, framed or told to another page. */
export const callbackHeaders = {
	'content-type': 'text/html; charset=utf-8',
	'cache-control': 'no-store',
	'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
	'referrer-policy': 'no-referrer',
	'x-content-type-options': 'nosniff',
	connection: 'close',
} as const;
