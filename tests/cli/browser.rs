// SPDX-License-Identifier: MIT OR Apache-2.0
//! Pages in headless Chromium: what they complain about, what they load, and what does not fit their width.

use crate::{Place, ran};
use assert_cmd::Command;
use scraper::{Html, Selector};
use serde_json::Value;

/// Runs in a copy of the page and tells the page around it what it has seen.
const PROBE: &str = r#"<script>
const bad = [];
addEventListener('error', e => bad.push('error: ' + (e.message || e.target.outerHTML)), true);
addEventListener('securitypolicyviolation', e => bad.push('policy: ' + e.blockedURI));
addEventListener('load', () => {
  const wide = document.documentElement.clientWidth;
  const look = how => {
    const scroll = document.documentElement.scrollWidth;
    if (scroll > wide) bad.push(how + ': the page is ' + scroll + ' wide');
    for (const x of document.body.querySelectorAll('*')) {
      const box = x.getBoundingClientRect();
      if (x.closest('.scroll, pre') || !box.width) continue;
      if (box.right > wide + 1 || box.left < -1) bad.push(how + ': ' + x.tagName + ' ' + x.textContent.slice(0, 40) +
        ' from ' + box.left.toFixed() + ' to ' + box.right.toFixed());
    }
    for (const svg of document.querySelectorAll('svg[role]')) {
      for (const x of svg.querySelectorAll('.box')) for (const y of svg.querySelectorAll('.port, .detail')) {
        const a = x.getBoundingClientRect(), b = y.getBoundingClientRect();
        const over = Math.min(a.right, b.right) - Math.max(a.left, b.left);
        if (over > 0) bad.push(how + ': ' + y.textContent + ' stands in a box');
      }
      const texts = [...svg.querySelectorAll('text')].map(x => [x.textContent, x.getBoundingClientRect()]);
      texts.forEach(([one, a], i) => texts.slice(i + 1).forEach(([two, b]) => {
        const over = Math.min(a.right, b.right) - Math.max(a.left, b.left);
        const down = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top);
        if (over > 0.5 && down > 3) bad.push(how + ': ' + one + ' stands on ' + two);
      }));
    }
  };
  look('folded');
  document.querySelectorAll('details').forEach(x => x.open = true);
  look('unfolded');
  performance.getEntriesByType('resource').forEach(x => bad.push('loads ' + x.name));
  parent.postMessage({ name: window.name, wide, bad }, '*');
});
</script>"#;

/// A page to be looked at.
pub struct View<'a> {
    /// Its name in what comes back.
    pub name: &'a str,
    /// Its text.
    pub page: String,
    /// Width of the window in pixels.
    pub width: u32,
}

/// What was wrong with each view, in their order. A headless window has a least width; frames have none.
pub fn complaints(place: &Place, views: &[View]) -> Vec<Vec<String>> {
    let mut frames = String::new();
    for View { name, page, width } in views {
        let (before, rest) = page.split_once("<meta http-equiv=\"Content-Security-Policy\"").expect("a policy");
        let (_, rest) = rest.split_once('>').expect("its end");
        place.write(&format!("{name}.html"), format!("{before}{PROBE}{rest}"));
        frames +=
            &format!("<iframe name={name} src={name}.html style='width:{width}px;height:900px;border:0'></iframe>\n");
    }
    let collect = "addEventListener('message', e => out.textContent += JSON.stringify(e.data) + '\\n')";
    let around = place.write("around.html", format!("<pre id=out></pre><script>{collect}</script>{frames}"));
    let ran = chromium(place, &["--virtual-time-budget=20000", "--dump-dom", &around.display().to_string()]);
    let html = Html::parse_document(&ran.out);
    let out = html.select(&Selector::parse("#out").expect("a selector")).next().expect("the page around");
    let text: String = out.text().collect();
    let said: Vec<Value> = text.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    let of = |view: &View| {
        let said = said.iter().find(|said| said["name"] == view.name);
        let said = said.unwrap_or_else(|| panic!("{} says nothing: {text}{}", view.name, ran.err));
        assert_eq!(said["wide"], view.width, "{}", view.name);
        let mut bad: Vec<_> = said["bad"].as_array().expect("a list").iter().map(|bad| bad.to_string()).collect();
        let page = format!("{}.html", view.name);
        let console = ran.err.lines().filter(|line| line.contains("CONSOLE") && line.contains(&page));
        bad.extend(console.map(str::to_owned));
        bad
    };
    views.iter().map(of).collect()
}

/// Prints a page; the number of sheets.
pub fn sheets(place: &Place, page: &str) -> usize {
    let pdf = place.path("printed.pdf");
    let page = place.path(page).display().to_string();
    chromium(place, &["--no-pdf-header-footer", &format!("--print-to-pdf={}", pdf.display()), &page]);
    let bytes = std::fs::read(pdf).expect("a PDF");
    assert!(bytes.starts_with(b"%PDF-"));
    let text = String::from_utf8_lossy(&bytes);
    text.match_indices("/Type /Page").filter(|(at, found)| !text[at + found.len()..].starts_with('s')).count()
}

fn chromium(place: &Place, arguments: &[&str]) -> crate::Ran {
    let found = std::env::var_os("PATH")
        .is_some_and(|path| std::env::split_paths(&path).any(|dir| dir.join("chromium").exists()));
    assert!(found, "chromium is not installed; ./test installs it");
    let profile = format!("--user-data-dir={}", place.path("profile").display());
    let mut command = Command::new("chromium");
    // Containers have little shared memory, and the browser has no business of its own in the network.
    command.args(["--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"]);
    command.args(["--disable-background-networking", "--hide-scrollbars", "--enable-logging=stderr", &profile]);
    command.args(arguments);
    let ran = ran(command.timeout(std::time::Duration::from_secs(120)));
    assert_eq!(ran.status, 0, "{}", ran.err);
    ran
}
