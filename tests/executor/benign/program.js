// Workers, processes, files, sockets, cryptography, compression.
const assert = require('assert');
const { Worker, isMainThread, parentPort } = require('worker_threads');
const fs = require('fs');
const http = require('http');
const os = require('os');

async function main() {
    assert.strictEqual(require('child_process').execSync('echo a | tr a b').toString(), 'b\n');
    fs.writeFileSync('/tmp/a', 'x');
    await fs.promises.copyFile('/tmp/a', '/tmp/b');
    assert.strictEqual(fs.readFileSync('/tmp/b', 'utf8'), 'x');
    assert(require('crypto').randomBytes(8) && require('crypto').createHash('sha256').update('x').digest('hex'));
    assert.strictEqual(require('zlib').gunzipSync(require('zlib').gzipSync('x')).toString(), 'x');
    assert(os.cpus() && os.hostname() && os.tmpdir());
    const answer = await new Promise((resolve, reject) => {
        new Worker(__filename).on('message', resolve).on('error', reject);
    });
    assert.strictEqual(answer, 42);
    const server = http.createServer((_, response) => response.end('hello'));
    await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
    const text = await (await fetch(`http://127.0.0.1:${server.address().port}/`)).text();
    assert.strictEqual(text, 'hello');
    server.closeAllConnections();
    server.close();
    console.log('ok');
}

if (isMainThread) main();
else parentPort.postMessage(42);
