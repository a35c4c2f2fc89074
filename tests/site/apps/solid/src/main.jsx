import { createSignal, For, lazy, onMount, Show } from "solid-js";
import { render } from "solid-js/web";
import { A, Navigate, Route, Router, useNavigate, useParams } from "@solidjs/router";
import "../../shared/menu.js";
import "../../shared/style.css";
import { endless, items, tracked, traps } from "../../shared/acts.js";

const Go = (props) => {
  const go = useNavigate();
  return <div class="go" onClick={() => go(props.to)}>{props.children}</div>;
};

const Frame = (props) => {
  const go = useNavigate();
  const [open, setOpen] = createSignal(false);
  const pick = (act) => () => {
    setOpen(false);
    act();
  };
  return (
    <>
      <header>
        <nav>
          <A href="/">Home</A> <A href="/about">About</A> <A href="/home">Start</A> <a href="/guide.html" target="_self">Guide</a>
          <Go to="/products">Products</Go>
          <button type="button" aria-haspopup="menu" onClick={() => setOpen(!open())}>Company</button>
          <Show when={open()}>
            <ul role="menu">
              <li role="menuitem" class="go" onClick={pick(() => go("/team"))}>Team</li>
              <li role="menuitem" class="go" onClick={pick(tracked(go, "/careers"))}>Careers</li>
            </ul>
          </Show>
        </nav>
        <site-menu ref={(menu) => menu.addEventListener("go", (event) => go(event.detail))} />
      </header>
      <main>{props.children}</main>
    </>
  );
};

const Text = (props) => (
  <>
    <h1>{props.title}</h1>
    <p>This is what the page called {props.title} says, in a sentence of its own.</p>
    {props.children}
  </>
);
const text = (title) => () => <Text title={title} />;

const Home = () => {
  const go = useNavigate();
  return (
    <Text title="Home">
      <Go to="/settings">Settings</Go>
      <span class="go" onClick={() => go("/lazy")}>Something heavy</span>
      <Go to="/feed">Feed</Go>
      <For each={traps(go)}>{([label, act]) => <button type="button" onClick={act}>{label}</button>}</For>
      <form action="/submitted" method="post"><input name="q" /><button>Search</button></form>
      <a download href="/catalogue.zip">Catalogue</a>
    </Text>
  );
};

const About = () => {
  const [tab, setTab] = createSignal("history");
  return (
    <Text title="About">
      <div role="tablist">
        <For each={["history", "values"]}>{(name) => <div role="tab" onClick={() => setTab(name)}>{name}</div>}</For>
      </div>
      <Show when={tab() === "values"} fallback={<p>It began in a garage.</p>}>
        <p>What we hold dear: <A href="/values">our values</A></p>
      </Show>
    </Text>
  );
};

const Products = () => {
  const [list, setList] = createSignal([]);
  const [more, setMore] = createSignal(false);
  const load = async () => {
    const found = await items(list().length);
    setList([...list(), ...found.items]);
    setMore(found.more);
  };
  onMount(load);
  return (
    <Text title="Products">
      <For each={list()}>{(each) => <Go to={`/products/${each.id}`}>{each.name}</Go>}</For>
      <Show when={more()}><button type="button" onClick={load}>Load more</button></Show>
    </Text>
  );
};

const Product = (props) => {
  const params = useParams();
  return (
    <Text title={`Product ${params.id}`}>
      <div role="tablist"><Go to={`/products/${params.id}/specs`}><span role="tab">Specifications</span></Go></div>
      {props.children}
    </Text>
  );
};
const Specs = () => <p>The measures of product {useParams().id}, to the millimetre.</p>;

const Settings = (props) => (
  <Text title="Settings">
    <Go to="/settings/profile">Profile</Go>
    <Go to="/settings/security">Security</Go>
    {props.children}
  </Text>
);

const Feed = () => {
  let list;
  onMount(() => endless(list));
  return <Text title="Feed"><div><div ref={list} /><i>…</i></div></Text>;
};

render(
  () => (
    <Router root={Frame}>
      <Route path="/" component={Home} />
      <Route path="/home" component={() => <Navigate href="/" />} />
      <Route path="/about" component={About} />
      <Route path="/products" component={Products} />
      <Route path="/products/:id" component={Product}><Route path="/" /><Route path="/specs" component={Specs} /></Route>
      <Route path="/settings" component={Settings}>
        <Route path="/" />
        <Route path="/profile" component={text("Profile")} />
        <Route path="/security" component={text("Security")} />
      </Route>
      <Route path="/lazy" component={lazy(() => import("./lazy.jsx"))} />
      <Route path="/feed" component={Feed} />
      <For each={["team", "careers", "values", "contact", "press", "deleted", "bought", "logged-out"]}>
        {(name) => <Route path={`/${name}`} component={text(name)} />}
      </For>
    </Router>
  ),
  document.getElementById("root")
);
