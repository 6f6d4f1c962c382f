//! Serves the built page, for people (`scripts/serve`) and for the browser tests alike.
//!
//! ```text
//! cargo run --example serve -- [--dir dist] [--port 8080] [--plain]
//! ```
//!
//! By default it sends the headers under which ranks may share memory, also inside a frame of
//! another site; with `--plain` it sends none of them, like the simplest static host. Port 0 takes
//! any free port. It listens on this machine only, and answers GET and HEAD.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Read, Write};
use std::net::{Ipv4Addr, TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;
use std::thread;
use std::time::Duration;

/// What makes the page cross-origin isolated, and embeddable by pages that are.
const ISOLATING_HEADERS: &str = "\
    Cross-Origin-Opener-Policy: same-origin\r\n\
    Cross-Origin-Embedder-Policy: require-corp\r\n\
    Cross-Origin-Resource-Policy: cross-origin\r\n\
    Access-Control-Allow-Origin: *\r\n\
    Document-Isolation-Policy: isolate-and-credentialless\r\n\
    Cache-Control: no-cache\r\n";

/// A request's head beyond this is refused, so that no client can fill the memory.
const HEAD_BYTES_MAX: u64 = 16 * 1024;

const USAGE: &str = "usage: serve [--dir DIR] [--port PORT] [--plain]";

struct Options {
    dir: PathBuf,
    port: u16,
    plain: bool,
}

fn main() -> ExitCode {
    let result = parse_options(std::env::args().skip(1))
        .and_then(|options| serve(options).map_err(|error| format!("cannot listen: {error}")));
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("{message}");
            ExitCode::FAILURE
        }
    }
}

fn parse_options(mut args: impl Iterator<Item = String>) -> Result<Options, String> {
    let mut options = Options { dir: PathBuf::from("dist"), port: 8080, plain: false };
    while let Some(arg) = args.next() {
        match arg.as_str() {
            "--plain" => options.plain = true,
            "--dir" => options.dir = args.next().ok_or(USAGE)?.into(),
            "--port" => {
                let port = args.next().ok_or(USAGE)?;
                options.port =
                    port.parse().map_err(|_| format!("`{port}` is no port: give 0 to 65535"))?;
            }
            _ => return Err(format!("unknown argument `{arg}`; {USAGE}")),
        }
    }
    match options.dir.join("index.html").is_file() {
        true => Ok(options),
        false => Err(format!("{} has no index.html: run scripts/build", options.dir.display())),
    }
}

/// One thread per connection, one request per connection: enough for one reader and for tests.
fn serve(options: Options) -> io::Result<()> {
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, options.port))?;
    println!("http://{}/", listener.local_addr()?);
    io::stdout().flush()?;
    let options = Arc::new(options);
    for stream in listener.incoming() {
        let options = Arc::clone(&options);
        // A client that goes away in the middle of an answer is no concern of ours.
        thread::spawn(move || stream.and_then(|stream| answer(stream, &options)));
    }
    Ok(())
}

fn answer(mut stream: TcpStream, options: &Options) -> io::Result<()> {
    stream.set_read_timeout(Some(Duration::from_secs(10)))?;
    stream.set_nodelay(true)?;
    let request = read_request_line(&stream)?;
    let mut words = request.split(' ');
    let (method, target) = (words.next().unwrap_or_default(), words.next().unwrap_or_default());
    if !matches!(method, "GET" | "HEAD") {
        return send(&mut stream, options, "405 Method Not Allowed", "text/plain", None, method);
    }
    let found = resolve(target).map(|path| options.dir.join(path)).filter(|path| path.is_file());
    match found.and_then(|path| Some((mime_type(&path), File::open(path).ok()?))) {
        Some((mime, file)) => send(&mut stream, options, "200 OK", mime, Some(file), method),
        None => send(&mut stream, options, "404 Not Found", "text/plain", None, method),
    }
}

/// Reads the whole head, because closing on unread input would reset the connection.
fn read_request_line(stream: &TcpStream) -> io::Result<String> {
    let mut lines = BufReader::new(stream.take(HEAD_BYTES_MAX)).lines();
    let request = lines.next().ok_or(io::ErrorKind::UnexpectedEof)??;
    for line in lines {
        if line?.is_empty() {
            break;
        }
    }
    Ok(request)
}

fn send(
    stream: &mut TcpStream,
    options: &Options,
    status: &str,
    mime: &str,
    file: Option<File>,
    method: &str,
) -> io::Result<()> {
    let mut body = Vec::new();
    match file {
        Some(mut file) => drop(file.read_to_end(&mut body)?),
        None => body.extend(status.bytes()),
    }
    let extra = if options.plain { "" } else { ISOLATING_HEADERS };
    write!(
        stream,
        "HTTP/1.1 {status}\r\nContent-Type: {mime}\r\nContent-Length: {}\r\n{extra}\
         Connection: close\r\n\r\n",
        body.len(),
    )?;
    if method != "HEAD" {
        stream.write_all(&body)?;
    }
    stream.flush()
}

/// The file that a request target names, relative to the served folder: its query dropped, its
/// escapes decoded, a folder meaning its `index.html`. `None` for what could lead elsewhere.
fn resolve(target: &str) -> Option<PathBuf> {
    let path = target.split(['?', '#']).next()?.strip_prefix('/')?;
    let path = decode_percent(path)?;
    let mut file = PathBuf::new();
    for part in path.split('/').filter(|part| !part.is_empty()) {
        // A colon or a backslash would be a drive or a separator on Windows.
        if part.starts_with('.') || part.contains(['\\', ':', '\0']) {
            return None;
        }
        file.push(part);
    }
    if path.is_empty() || path.ends_with('/') {
        file.push("index.html");
    }
    Some(file)
}

fn decode_percent(text: &str) -> Option<String> {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.bytes();
    while let Some(byte) = rest.next() {
        bytes.push(match byte {
            b'%' => {
                let digits = [rest.next()?, rest.next()?].map(char::from);
                let [high, low] = digits.map(|digit| digit.to_digit(16));
                u8::try_from(high? * 16 + low?).ok()?
            }
            byte => byte,
        });
    }
    String::from_utf8(bytes).ok()
}

fn mime_type(path: &Path) -> &'static str {
    match path.extension().and_then(|extension| extension.to_str()) {
        Some("html") => "text/html; charset=utf-8",
        Some("js" | "mjs") => "text/javascript; charset=utf-8",
        Some("css") => "text/css; charset=utf-8",
        Some("json") => "application/json",
        Some("wasm") => "application/wasm",
        Some("svg") => "image/svg+xml",
        Some("png") => "image/png",
        Some("txt" | "md") => "text/plain; charset=utf-8",
        _ => "application/octet-stream",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    #[test]
    fn a_target_names_a_file_below_the_folder() {
        for (target, file) in [
            ("/", "index.html"),
            ("/?embed=1", "index.html"),
            ("/app.js?v=1", "app.js"),
            ("/sub/", "sub/index.html"),
            ("//sub//a.css", "sub/a.css"),
            ("/a%20b.css", "a b.css"),
            ("/%E7%8E%AF.svg", "环.svg"),
        ] {
            assert_eq!(resolve(target), Some(PathBuf::from(file)), "{target}");
        }
    }

    #[test]
    fn a_target_that_leads_elsewhere_is_refused() {
        for target in [
            "",
            "app.js",
            "/../Cargo.toml",
            "/a/../../x",
            "/%2e%2e/x",
            "/..%2fx",
            "/.git/config",
            "/C:/x",
            "/a\\..\\x",
            "/a%5c..",
            "/a%00",
            "/%",
            "/%4",
            "/%zz",
            "/%ff",
            "/%+1",
        ] {
            assert_eq!(resolve(target), None, "{target}");
        }
    }

    #[test]
    fn a_wrong_argument_is_named() {
        for (args, word) in [("--port 70000", "70000"), ("--what", "--what"), ("--dir", "usage")] {
            let result = parse_options(args.split(' ').map(str::to_owned));
            let message = result.err().unwrap_or_default();
            assert!(message.contains(word), "{args}: {message}");
        }
    }

    /// One whole exchange over a real socket, with and without the isolating headers.
    #[test]
    fn an_answer_has_the_files_bytes_type_and_headers() {
        let dir = std::env::temp_dir().join(format!("ringscope-serve-{}", std::process::id()));
        fs::create_dir_all(&dir).unwrap();
        fs::write(dir.join("a.wasm"), b"\0asm").unwrap();
        for (request, plain, status, body) in [
            ("GET /a.wasm?v=2 HTTP/1.1", false, "200 OK", "\0asm"),
            ("GET /a.wasm HTTP/1.1", true, "200 OK", "\0asm"),
            ("HEAD /a.wasm HTTP/1.1", false, "200 OK", ""),
            ("GET /b.wasm HTTP/1.1", false, "404 Not Found", "404 Not Found"),
            ("POST /a.wasm HTTP/1.1", false, "405 Method Not Allowed", "405 Method Not Allowed"),
        ] {
            let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).unwrap();
            let mut client = TcpStream::connect(listener.local_addr().unwrap()).unwrap();
            write!(client, "{request}\r\nHost: here\r\n\r\n").unwrap();
            let options = Options { dir: dir.clone(), port: 0, plain };
            answer(listener.accept().unwrap().0, &options).unwrap();
            let mut text = String::new();
            client.read_to_string(&mut text).unwrap();
            assert!(text.starts_with(&format!("HTTP/1.1 {status}\r\n")), "{request}: {text}");
            assert!(text.ends_with(&format!("\r\n\r\n{body}")), "{request}: {text}");
            assert_eq!(text.contains("Cross-Origin-Embedder-Policy"), !plain, "{request}");
            assert_eq!(text.contains("application/wasm"), status == "200 OK", "{request}");
        }
        fs::remove_dir_all(&dir).unwrap();
    }
}
